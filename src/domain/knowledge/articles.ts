import Type from 'typebox'
import type { Row, RowPolicy } from '../../engine/declaration.ts'
import { get, list, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import {
  choice,
  html,
  integer,
  LONGEST_TEXT,
  longText,
  neverBlank,
  readOnly,
  reference,
  text,
  timestamp,
} from '../../engine/field.ts'
import { anyRecordOf, hasWords, isOne, isRecord } from '../../engine/filter.ts'
import { cleanHtml, tagsIn, textOf } from '../../engine/html.ts'
import { operation } from '../../engine/operation.ts'
import { LAST, nextPlace, renumber } from '../../engine/order.ts'
import { permitsForAll } from '../../engine/permission.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find, holdTo, type Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema, recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { idAndName } from '../organisation/names.ts'
import { personShort } from '../people/person.ts'
import { categories } from './categories.ts'

const area = 'knowledge'
const categoryName = idAndName(categories)

const fields = {
  title: text({ required: true, searched: true, example: 'How to request leave' }),
  body: longText({
    searched: true,
    note: 'Content as plain text. To change the content, send this or `body_html`. If the text contains a supported HTML tag such as `<p>`, it is read as HTML',
    example: 'Request leave at least two weeks in advance.',
  }),
  body_html: html({
    note: 'Content as HTML, without unsafe tags. If you send `body` too and only one of the two differs from the stored content, that one is stored; if both differ, they must have the same text',
    example: '<p>Request leave <b>at least two weeks</b> in advance.</p>',
  }),
  position: integer({
    supplied: true,
    min: 1,
    max: MOST_OWNED,
    note: 'Position in the category, starting at 1; last by default',
  }),
  state: neverBlank(choice(['draft', 'published'], { default: 'draft', note: 'State of the article' })),
  published_at: readOnly(timestamp({ note: 'When the article was published; null for drafts' })),
  category_id: reference('knowledge_base_categories', { required: true, show: () => categoryName }),
  created_by_id: readOnly(reference('employees', { show: () => personShort })),
}

/** Drafts are not there for those who only read. */
const rowPolicy: RowPolicy = {
  seesAll: (caller) => permitsForAll(caller, `${area}:write`),
  narrow: (query) => query.where('knowledge_base_articles.state', '=', 'published'),
  indexedColumns: ['knowledge_base_articles.state'],
  dependsOn: ['knowledge_base_articles'],
}

const WHERE = { table: 'knowledge_base_articles', one: 'knowledge base article', area, rowPolicy }

export const articles = resource({ ...WHERE, path: '/knowledge_base/articles' }, fields)

/** The same records, where the path names their category. */
const articlesOfCategory = resource(
  { ...WHERE, path: '/knowledge_base/categories/{category_id}/articles', title: 'ArticleOfCategory' },
  fields,
)

type ArticleState = Row<typeof articles>['state']
type ArticleText = { body: string; body_html: string }

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Plain text as HTML: an empty line begins a paragraph. */
const paragraphs = (plain: string) =>
  plain
    .replace(/[&<>]/g, (one) => ESCAPES[one] as string)
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replaceAll('\n', '<br />')}</p>`)
    .join('')

/** Forms send other ends of lines than they were given. */
const lines = (text: string | null) => (text ?? '').replace(/\r\n?/g, '\n')

function fromMarkup(html: string): ArticleText {
  const body_html = cleanHtml(html)
  return { body: textOf(body_html), body_html }
}

/** Tags that could be read in the text before are signs of it, not markup. */
function fromText(text: string, before: ArticleText): ArticleText {
  const signs = new Set(tagsIn(before.body))
  if (tagsIn(text).some((tag) => !signs.has(tag))) return fromMarkup(text)
  return { body: text, body_html: text && paragraphs(text) }
}

/** Spaces and lines are not what a text says. */
const saysTheSame = (one: ArticleText, other: ArticleText) =>
  one.body.replace(/\s+/g, ' ') === other.body.replace(/\s+/g, ' ')

/**
 * What was sent in either form, in both. What is there already says nothing new: the text as it was read must not cost
 * the markup, nor the markup as it was read a new text.
 */
function bothForms(sent: ArticleValues, before: ArticleText | null, problems: FieldProblem[]): ArticleText {
  const kept = { body: before?.body ?? '', body_html: before?.body_html ?? '' }
  const body = sent.body === undefined ? kept.body : lines(sent.body)
  const hasNewText = body !== kept.body
  const text = hasNewText ? fromText(body, kept) : kept
  const markup = sent.body_html === undefined ? kept : fromMarkup(lines(sent.body_html))
  if (hasNewText && [...text.body_html].length > LONGEST_TEXT)
    problems.push(wrong('body', 'too_long', `is too long: ${LONGEST_TEXT} characters at most, markup included`))

  const isMarkupSent = markup.body_html !== '' || sent.body === undefined
  if (!isMarkupSent || markup.body_html === kept.body_html) return text
  if (!hasNewText || text.body === '') return markup
  if (!saysTheSame(text, markup))
    problems.push(wrong('body', 'mismatch', 'differs from body_html. Send only one of them'))
  return { body: text.body, body_html: markup.body_html }
}

const publication = (db: Reader, before: ArticleState, after: ArticleState | null | undefined) =>
  !after || after === before ? {} : { published_at: after === 'published' ? db.now : null }

const inCategory = (db: Reader, id: number) => db.from('knowledge_base_articles').where('category_id', '=', id)

/** All of a category are counted anew when one of them moves. */
const notTooMany: Rule<typeof articles> = async ({ db, before, after, fail }) => {
  const { category_id } = after
  if (!category_id || category_id === before?.category_id) return
  if ((await nextPlace(inCategory(db, category_id).where('id', '!=', after.id ?? 0))) > MOST_OWNED)
    fail('category_id', 'too_many', `already has ${MOST_OWNED} articles, the maximum`)
}

const rules = [notTooMany]
holdTo(articles, rules)

type ArticleValues = Partial<Row<typeof articles>>

/** Stores a new article, at the place that is asked for or the last one. */
async function write(db: Writer, sent: ArticleValues, problems: FieldProblem[]): Promise<number> {
  const siblings = inCategory(db, sent.category_id ?? 0)
  const made = {
    ...sent,
    ...bothForms(sent, null, problems),
    ...publication(db, 'draft', sent.state),
    position: await nextPlace(siblings),
    created_by_id: db.caller.personId,
  }
  const id = await create(db, articles, made, { rules, problems })
  if (sent.position) await renumber(db, articles, siblings, { id, to: sent.position })
  return id
}

const filters = {
  state: isOne(articles, 'state'),
  q: hasWords(articles, 'Words, or beginnings of words, in the title or text'),
}

export const articleOperations = [
  list(articles, {
    filters: {
      category_id: isRecord(articles, 'category_id'),
      category_ids: anyRecordOf(articles, 'category_id'),
      ...filters,
    },
  }),
  list(articlesOfCategory, {
    order: 'position',
    sorts: ['position'],
    filters,
    shape: articles.whole,
    as: { id: 'listArticlesOfCategory', path: articlesOfCategory.path, summary: 'List the articles of a category' },
  }),
  get(articles),
  post(articles, { store: ({ db, body, problems }) => write(db, body as ArticleValues, problems) }),
  operation(
    {
      id: 'createArticleOfCategory',
      method: 'POST',
      path: articlesOfCategory.path,
      summary: 'Create an article in a category',
      area,
      params: Type.Object({ category_id: recordId(categories.table) }),
      body: bodySchema(articlesOfCategory, 'create'),
      status: 201,
      answer: wrapped(schemaOf(articles.whole)),
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      await find(db, categories, params.category_id)
      const id = await write(db, { ...(body as ArticleValues), category_id: params.category_id }, problems)
      return { body: await showOne(db, articles.whole, id), location: `${articles.path}/${id}` }
    },
  ),
  put(articles, {
    note: 'Omitted fields keep their values. An article moved to another category comes last, unless you send a position.',
    async store({ db, body, problems }, before) {
      const { position, ...sent } = body as ArticleValues
      const categoryId = sent.category_id ?? before.category_id
      const isMoved = categoryId !== before.category_id
      const siblings = inCategory(db, categoryId)
      const changes = {
        ...sent,
        ...bothForms(sent, before, problems),
        ...publication(db, before.state, sent.state),
        ...(isMoved ? { position: await nextPlace(siblings) } : {}),
      }
      await amend(db, articles, before, changes, { rules, problems })
      if (isMoved) await renumber(db, articles, inCategory(db, before.category_id))
      if (position !== undefined) await renumber(db, articles, siblings, { id: before.id, to: position ?? LAST })
    },
  }),
  remove(articles, {
    conflicts: null,
    async store({ db }, before) {
      await erase(db, articles, before)
      await renumber(db, articles, inCategory(db, before.category_id))
    },
  }),
]
