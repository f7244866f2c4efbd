import { HEIGHT, type Layout, WIDTH } from './layout.ts'
import type { Person, Tree } from './tree.ts'

/**
 * Exports the whole chart as it is opened: as an image, or as a PDF that can be zoomed and searched. Both are drawn by
 * the same code, in light colours.
 */

const PAPER = '#ffffff'
const INK = '#1a1f24'
const PALE = '#5b636b'
const LINE = '#aeb6bd'
const EDGE = '#d0d6db'
const MARGIN = 40
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
const NAME = { size: 14, weight: 600 }
const POSITION = { size: 12, weight: 400 }

type Font = { size: number; weight: number }

/** Where to draw: on a canvas, or into a PDF. */
type DrawingTarget = {
  box: (x: number, y: number, width: number, height: number, fill: string, edge?: string) => void
  lines: (path: string) => void
  text: (words: string, x: number, y: number, font: Font, colour: string) => void
}

export type Drawing = { tree: Tree; layout: Layout; colourOf: (place: number) => string; title: string }

const fontOf = ({ size, weight }: Font) => `${weight} ${size}px ${FAMILY}`

function measurer() {
  const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
  return (words: string, font: Font) => {
    context.font = fontOf(font)
    return context.measureText(words).width
  }
}

type Measure = ReturnType<typeof measurer>

/** Shortens a text to the available width. */
function shortened(measure: Measure, words: string, font: Font, room: number): string {
  if (measure(words, font) <= room) return words
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (measure(`${words.slice(0, middle)}…`, font) <= room) low = middle
    else high = middle - 1
  }
  return `${words.slice(0, low).trimEnd()}…`
}

const sizeOf = ({ frame }: Layout) => ({
  width: frame.right - frame.left + 2 * MARGIN,
  height: frame.bottom - frame.top + 2 * MARGIN + 40,
})

function draw({ tree, layout, colourOf, title }: Drawing, pen: DrawingTarget): void {
  const measure = measurer()
  const [dx, dy] = [MARGIN - layout.frame.left, MARGIN + 40 - layout.frame.top]
  pen.text(title, MARGIN, MARGIN + 12, { size: 20, weight: 600 }, INK)
  for (const { path } of layout.lines) pen.lines(moved(path, dx, dy))
  for (const place of layout.places) {
    const { name, position, direct, all } = tree.people[place] as Person
    const [x, y] = [(layout.x[place] as number) + dx, (layout.y[place] as number) + dy]
    pen.box(x, y, WIDTH, HEIGHT, PAPER, EDGE)
    pen.box(x, y, 5, HEIGHT, colourOf(place))
    const below = all === 0 ? '' : all === direct ? `${all}` : `${direct} · ${all}`
    const counted = below ? measure(below, POSITION) + 10 : 0
    pen.text(shortened(measure, name, NAME, WIDTH - 28), x + 16, y + 29, NAME, INK)
    pen.text(shortened(measure, position ?? '', POSITION, WIDTH - 28 - counted), x + 16, y + 49, POSITION, PALE)
    if (below) pen.text(below, x + WIDTH - 2 - counted, y + 49, POSITION, PALE)
  }
}

/** Shifts a path of M, H, V, h and v. */
function moved(path: string, dx: number, dy: number): string {
  return path.replace(/([MHVhv])(-?[\d.]+)(?: (-?[\d.]+))?/g, (_, step: string, one: string, other?: string) => {
    if (step === 'M') return `M${Number(one) + dx} ${Number(other) + dy}`
    if (step === 'H') return `H${Number(one) + dx}`
    return step === 'V' ? `V${Number(one) + dy}` : `${step}${one}`
  })
}

/** The points of a path, one list per stroke. */
function strokesOf(path: string): [number, number][][] {
  const strokes: [number, number][][] = []
  let [x, y] = [0, 0]
  for (const [, step, one, other] of path.matchAll(/([MHVhv])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (step === 'M') {
      x = Number(one)
      y = Number(other)
      strokes.push([])
    } else if (step === 'H') x = Number(one)
    else if (step === 'V') y = Number(one)
    else if (step === 'h') x += Number(one)
    else y += Number(one)
    strokes.at(-1)?.push([x, y])
  }
  return strokes
}

/** Browsers refuse larger images. */
const WIDEST = 16_000
const MOST_POINTS = 100_000_000

export async function pngOf(drawing: Drawing): Promise<Blob> {
  const { width, height } = sizeOf(drawing.layout)
  const scale = Math.min(2, WIDEST / width, WIDEST / height, Math.sqrt(MOST_POINTS / (width * height)))
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = PAPER
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  draw(drawing, {
    box(x, y, w, h, fill, edge) {
      context.fillStyle = fill
      context.fillRect(x, y, w, h)
      if (!edge) return
      context.strokeStyle = edge
      context.strokeRect(x, y, w, h)
    },
    lines(path) {
      context.strokeStyle = LINE
      context.stroke(new Path2D(path))
    },
    text(words, x, y, font, colour) {
      context.font = fontOf(font)
      context.fillStyle = colour
      context.fillText(words, x, y)
    },
  })
  return canvas.convertToBlob({ type: 'image/png' })
}

/* The PDF. Each letter in use is stored as a small image with the character that it means. So no font is needed for any
   script, and the text can be searched and copied. */

/** PDF pages cannot be wider. Readers zoom in. */
const WIDEST_PAGE = 14_400
/** Pixels of a glyph's image per unit of its size. */
const FINE = 4
const CODES = 255

const rgb = (colour: string) =>
  [1, 3, 5].map((at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ')
const short = (value: number) => String(Math.round(value * 100) / 100)

type Glyph = { font: number; code: number; width: number }

/** The glyphs in use by size and weight, numbered in fonts of 255. */
class Letters {
  readonly fonts: { font: Font; letters: string[]; widths: number[] }[] = []
  readonly #known = new Map<string, Glyph>()
  readonly #measure = measurer()

  of(letter: string, font: Font): Glyph {
    const key = `${font.size} ${font.weight} ${letter}`
    const known = this.#known.get(key)
    if (known) return known
    let index = this.fonts.findIndex(
      (one) => one.font.size === font.size && one.font.weight === font.weight && one.letters.length < CODES,
    )
    if (index < 0) index = this.fonts.push({ font, letters: [], widths: [] }) - 1
    const own = this.fonts[index] as (typeof this.fonts)[number]
    const width = this.#measure(letter, font)
    const glyph = { font: index, code: own.letters.push(letter), width }
    own.widths.push(width)
    this.#known.set(key, glyph)
    return glyph
  }
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The image of a glyph as rows of bits, including the space above and below the line. */
function pictureOf(letter: string, font: Font, width: number) {
  const [above, below] = [Math.ceil(font.size * 1.1), Math.ceil(font.size * 0.4)]
  const [w, h] = [Math.max(1, Math.ceil((width + 2) * FINE)), (above + below) * FINE]
  const canvas = new OffscreenCanvas(w, h)
  const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D
  context.scale(FINE, FINE)
  context.font = fontOf(font)
  context.fillText(letter, 1, above)
  const { data } = context.getImageData(0, 0, w, h)
  const stride = Math.ceil(w / 8)
  const bits = new Uint8Array(stride * h)
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      if ((data[(y * w + x) * 4 + 3] as number) > 127) {
        const at = y * stride + (x >> 3)
        bits[at] = (bits[at] as number) | (128 >> (x & 7))
      }
  const hex = [...bits].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const place = `${short(w / FINE)} 0 0 ${short(h / FINE)} -1 ${-below} cm`
  return `${short(width)} 0 -1 ${-below} ${short(width + 1)} ${above} d1 q ${place} BI /W ${w} /H ${h} /IM true /D [1 0] /BPC 1 /F /AHx ID ${hex}> EI Q`
}

const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')

function meaningsOf(letters: readonly string[]): string {
  const rows = letters.map((letter, at) => `<${(at + 1).toString(16).padStart(2, '0')}> <${utf16(letter)}>`)
  const parts: string[] = []
  for (let at = 0; at < rows.length; at += 100) {
    const some = rows.slice(at, at + 100)
    parts.push(`${some.length} beginbfchar\n${some.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange
${parts.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
}

const deflated = async (text: string) =>
  new Uint8Array(
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer(),
  )

export async function pdfOf(drawing: Drawing): Promise<Blob> {
  const { width, height } = sizeOf(drawing.layout)
  const scale = Math.min(0.75, WIDEST_PAGE / width, WIDEST_PAGE / height)
  const letters = new Letters()
  const parts: string[] = [`${scale.toFixed(6)} 0 0 ${scale.toFixed(6)} 0 0 cm 1 w`]
  const up = (y: number) => short(height - y)
  draw(drawing, {
    box(x, y, w, h, fill, edge) {
      const shape = `${short(x)} ${up(y + h)} ${short(w)} ${short(h)} re`
      parts.push(edge ? `${rgb(fill)} rg ${rgb(edge)} RG ${shape} B` : `${rgb(fill)} rg ${shape} f`)
    },
    lines(path) {
      const strokes = strokesOf(path).map((points) =>
        points.map(([x, y], at) => `${short(x)} ${up(y)} ${at === 0 ? 'm' : 'l'}`).join(' '),
      )
      parts.push(`${rgb(LINE)} RG ${strokes.join(' ')} S`)
    },
    text(words, x, y, font, colour) {
      if (!words) return
      let [now, shown] = [-1, '']
      parts.push(`BT ${rgb(colour)} rg ${short(x)} ${up(y)} Td`)
      const end = () => shown && parts.push(`<${shown}> Tj`)
      for (const { segment } of segments.segment(words)) {
        const { font: index, code } = letters.of(segment, font)
        if (index !== now) {
          end()
          parts.push(`/F${index} 1 Tf`)
          now = index
          shown = ''
        }
        shown += code.toString(16).padStart(2, '0')
      }
      end()
      parts.push('ET')
    },
  })

  const objects: (string | { text: string })[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  ]
  const add = (object: (typeof objects)[number]) => objects.push(object)
  const fonts: string[] = []
  add('')
  const content = add({ text: parts.join('\n') })
  for (const [index, { font, letters: own, widths }] of letters.fonts.entries()) {
    const shapes = own.map((letter, at) => add({ text: pictureOf(letter, font, widths[at] as number) }))
    const meanings = add({ text: meaningsOf(own) })
    const names = own.map((_, at) => `/g${at + 1}`)
    const number = add(
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [1 0 0 1 0 0] /FirstChar 1 /LastChar ${own.length} /Widths [${widths.map(short).join(' ')}] /Encoding << /Type /Encoding /Differences [1 ${names.join(' ')}] >> /CharProcs << ${names.map((name, at) => `${name} ${shapes[at]} 0 R`).join(' ')} >> /Resources << >> /ToUnicode ${meanings} 0 R >>`,
    )
    fonts.push(`/F${index} ${number} 0 R`)
  }
  const box = `[0 0 ${short(width * scale)} ${short(height * scale)}]`
  objects[2] = `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents ${content} 0 R /Resources << /Font << ${fonts.join(' ')} >> >> >>`
  const info = add(`<< /Title <feff${utf16(drawing.title)}> /Producer (Cadre) >>`)
  return written(objects, info)
}

/** Writes the PDF objects and the table of their positions. */
async function written(objects: readonly (string | { text: string })[], info: number): Promise<Blob> {
  const bytes: (string | Uint8Array<ArrayBuffer>)[] = []
  let at = 0
  const put = (part: string | Uint8Array<ArrayBuffer>) => {
    bytes.push(part)
    at += part.length
  }
  put('%PDF-1.4\n')
  const begins: number[] = []
  for (const [index, object] of objects.entries()) {
    begins.push(at)
    put(`${index + 1} 0 obj\n`)
    if (typeof object === 'string') put(object)
    else {
      const stream = await deflated(object.text)
      put(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`)
      put(stream)
      put('\nendstream')
    }
    put('\nendobj\n')
  }
  const table = at
  const rows = begins.map((begin) => `${String(begin).padStart(10, '0')} 00000 n \n`).join('')
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`)
  put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${info} 0 R >>\nstartxref\n${table}\n%%EOF\n`)
  return new Blob(bytes, { type: 'application/pdf' })
}

/** Downloads a file. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
