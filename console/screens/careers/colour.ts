/** Makes the company's colour readable: darker on a light page, lighter on a dark one. */

type Rgb = [number, number, number]

const read = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
const write = (rgb: Rgb) => `#${rgb.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`
const mix = (from: Rgb, to: Rgb, share: number) =>
  from.map((one, at) => one + ((to[at] as number) - one) * share) as Rgb

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((one) => {
    const part = one / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: Rgb, other: Rgb) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const [WHITE, BLACK]: Rgb[] = [
  [255, 255, 255],
  [0, 0, 0],
]

/** The contrast that WCAG requires of text, and a little more. */
const ENOUGH = 4.6

function readableOn(colour: Rgb, ground: Rgb, towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const tried = mix(colour, towards, share)
    if (contrast(tried, ground) >= ENOUGH) return tried
  }
  return towards
}

/** Sets the page's colours based on the company's colour. */
export function paint(hex: string, root: HTMLElement): void {
  const short = /^#(.)(.)(.)$/.exec(hex)
  const own = read(
    short
      ? `#${short
          .slice(1)
          .map((one) => one + one)
          .join('')}`
      : hex,
  )
  const [white, black] = [WHITE as Rgb, BLACK as Rgb]
  const set = (name: string, colour: Rgb) => root.style.setProperty(name, write(colour))
  set('--brand', own)
  set('--on-brand', contrast(own, white) >= contrast(own, black) ? white : black)
  set('--brand-light', readableOn(own, [250, 250, 250], black))
  set('--brand-dark', readableOn(own, [37, 40, 44], white))
}
