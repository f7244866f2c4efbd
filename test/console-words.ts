import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { ts } from '@ts-morph/common'

/** The texts of the console, and text that its code holds outside of them: both read from the syntax tree. */

const ROOT = 'console'
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/^(client|build)\//.test(file))
  .sort()

/** A text in one language: a single form, or the forms by number. */
export type Text = Readonly<Record<string, string>>
export type Catalogue = { place: string; languages: Map<string, Map<string, Text>> }

const parse = (file: string, text = readFileSync(join(ROOT, file), 'utf8')) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

function within(node: ts.Node, all: ts.Node[] = []): ts.Node[] {
  all.push(node)
  ts.forEachChild(node, (child) => void within(child, all))
  return all
}

const plain = (node: ts.Expression): ts.Expression => (ts.isAsExpression(node) ? plain(node.expression) : node)

function textOf(node: ts.Expression): Text {
  if (ts.isStringLiteralLike(node)) return { other: node.text }
  if (!ts.isObjectLiteralExpression(node)) throw new Error(`not a text: ${node.getText()}`)
  return Object.fromEntries(propertiesOf(node).map(([form, value]) => [form, (value as ts.StringLiteral).text]))
}

function propertiesOf(node: ts.ObjectLiteralExpression): [string, ts.Expression][] {
  return node.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) throw new Error(`not a text: ${property.getText()}`)
    return [(property.name as ts.Identifier | ts.StringLiteral).text, plain(property.initializer)]
  })
}

const textsOf = (node: ts.ObjectLiteralExpression) =>
  new Map(propertiesOf(node).map(([key, value]) => [key, textOf(value)]))

/** What `texts({ en, de, uk })` is called with. */
const isCatalogue = (node: ts.Node): node is ts.ObjectLiteralExpression =>
  ts.isObjectLiteralExpression(node) && ts.isCallExpression(node.parent) && node.parent.expression.getText() === 'texts'

let known: Catalogue[] | undefined
/** All catalogues: those of the screens, and the shared words, which have a file for each language. */
export function catalogues(): Catalogue[] {
  known ??= readCatalogues()
  return known
}

function readCatalogues(): Catalogue[] {
  const shared = new Map<string, Catalogue>()
  const own = files.flatMap((file) => {
    const source = parse(file)
    const [, language] = /^texts\/words\/(en|de|uk)\.ts$/.exec(file) ?? []
    if (language)
      for (const node of within(source)) {
        if (!ts.isVariableDeclaration(node) || !node.initializer) continue
        const value = plain(node.initializer)
        if (!ts.isObjectLiteralExpression(value)) continue
        const name = node.name.getText()
        const at = shared.get(name) ?? { place: `texts/words ${name}`, languages: new Map() }
        at.languages.set(language, textsOf(value))
        shared.set(name, at)
      }
    return within(source)
      .filter(isCatalogue)
      .map((node): Catalogue => {
        const languages = propertiesOf(node).map(
          ([name, value]) => [name, textsOf(value as ts.ObjectLiteralExpression)] as const,
        )
        return { place: file, languages: new Map(languages) }
      })
  })
  return [...shared.values(), ...own]
}

/** Attributes that people read or hear. */
const SHOWN =
  /^(title|placeholder|label|alt|description|text|heading|submitLabel|caption|aria-(label|description|valuetext|roledescription|placeholder))$/
/** Names that are the same in all languages. */
const NAMES = new Set(['Cadre'])

const isText = (text: string) => /\p{L}{2}/u.test(text) && !NAMES.has(text.replace(/[^\p{L}\d ]/gu, '').trim())

/** Literals that an expression can come to: of `isOpen ? 'a' : 'b'` both. */
function literalsIn(node: ts.Expression | undefined): string[] {
  if (!node) return []
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text)
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression)
  if (ts.isBinaryExpression(node)) return [...literalsIn(node.left), ...literalsIn(node.right)]
  return []
}

function shownBy(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return [node.text]
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return literalsIn(node.expression)
  if (ts.isJsxAttribute(node) && SHOWN.test(node.name.getText())) {
    const value = node.initializer
    if (value && ts.isStringLiteral(value)) return [value.text]
    if (value && ts.isJsxExpression(value)) return literalsIn(value.expression)
  }
  return []
}

/** Text in the markup of a file that is not from a catalogue. */
export function literalTexts(file: string, text?: string): string[] {
  const source = parse(file, text)
  return within(source).flatMap((node) =>
    shownBy(node)
      .filter(isText)
      .map((found) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${found.trim()}`),
  )
}

export const markup = files.filter((file) => file.endsWith('.tsx') && !file.startsWith('texts/'))
