import {
  Badge,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  Menu,
  Select,
} from '@mantine/core'

/** Our green in ten shades. Grey and the signal colours are Mantine's. */
const cadre: MantineColorsTuple = [
  '#e9f6f4',
  '#d3ebe8',
  '#a5d7d1',
  '#74c2b9',
  '#4daea4',
  '#2f9a8f',
  '#1d8076',
  '#1f5f5b',
  '#174b48',
  '#0e3634',
]

export const theme = createTheme({
  colors: { cadre },
  primaryColor: 'cadre',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  cursorType: 'pointer',
  autoContrast: true,
  components: {
    // Selecting the current value again must not clear it. Optional fields have a clear button.
    Select: Select.extend({ defaultProps: { allowDeselect: false } }),
    // Without this, the menu has an extra focus stop that is no entry.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } }),
  },
  variantColorResolver: (input) => {
    const usual = defaultVariantColorsResolver(input)
    // Otherwise the text is white on a dark background.
    if (input.variant === 'subtle' && input.color === 'red') return { ...usual, color: 'var(--mantine-color-error)' }
    if (input.variant !== 'light') return usual
    const name = input.color ?? 'cadre'
    // Mantine's light variant has too little contrast, in every colour.
    const shade = (number: number) => `var(--mantine-color-${name}-${number})`
    return {
      ...usual,
      background: `light-dark(${shade(1)}, color-mix(in srgb, ${shade(8)} 50%, #242424))`,
      color: `light-dark(color-mix(in srgb, ${shade(9)} 55%, black), ${shade(1)})`,
    }
  },
})

/** Replaces the default colours that have too little contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-placeholder': '#656d76',
    '--mantine-color-dimmed': '#5b636b',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#1d6b64',
  },
  dark: {
    '--mantine-color-placeholder': '#9aa0a6',
    '--mantine-color-dimmed': '#a9afb5',
    '--mantine-color-error': '#ff9d91',
    '--mantine-color-anchor': '#74c2b9',
  },
})

/** Prints in the light colour scheme. */
export function printInLight(): void {
  const page = document.documentElement
  const name = 'data-mantine-color-scheme'
  let shown: string | null = null
  addEventListener('beforeprint', () => {
    shown = page.getAttribute(name)
    page.setAttribute(name, 'light')
  })
  addEventListener('afterprint', () => page.setAttribute(name, shown ?? 'light'))
}
