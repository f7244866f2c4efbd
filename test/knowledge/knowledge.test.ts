import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService, withoutRequestId } from '../harness.ts'

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
let reader: string
before(async () => {
  service = await startService({ clock: () => now })
  reader = await service.keyWith({ permissions: ['knowledge:read'] })
})
after(() => service.stop())

const CATEGORIES = '/knowledge_base/categories'
const ARTICLES = '/knowledge_base/articles'
let count = 0
const category = (values = {}) => service.make(CATEGORIES, { name: `Category ${++count}`, ...values })
const article = (category_id: number, values = {}) =>
  service.make(`${CATEGORIES}/${category_id}/articles`, { title: `Article ${++count}`, ...values })
const change = async (id: number, json: object) => {
  const answer = await service.put(`${ARTICLES}/${id}`, json)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
/** The articles of a category by their places. */
const order = async (id: number) => {
  const { data } = (await service.get(`${CATEGORIES}/${id}/articles`)).body
  return data.sort((a: any, b: any) => a.position - b.position).map((one: any) => [one.position, one.id])
}

test('categories and articles have all documented fields', async () => {
  const author = await service.hire({ email: 'author@example.com' })
  const key = (await service.post('/api_keys', { name: 'Own', permissions: ['knowledge:*'], employee_id: author.id }))
    .body.data.key
  const form = { name: 'First days', description: 'For all', css_class: 'kb', emoji: '👋', hex_color: '#2E7d32' }
  const made = await service.send('POST', CATEGORIES, { form, key })
  assert.equal(made.status, 201, made.text)
  const created_by = { id: author.id, first_name: author.first_name, last_name: author.last_name, email: author.email }
  const { id, created_at, updated_at, position, ...rest } = made.body.data
  assert.deepEqual(rest, { ...form, created_by })
  const bare = await category()
  assert.deepEqual(
    [bare.description, bare.css_class, bare.emoji, bare.hex_color, bare.created_by, bare.position - position],
    ['', null, null, null, null, 1],
  )
  for (const hex_color of ['green', '#12', '#12345g', '2e7d32']) {
    const refused = await service.put(`${CATEGORIES}/${id}`, { hex_color })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'hex_color'])
  }
  const html = '<p>Ask <b>early</b> &amp; often</p><script>x()</script><p onclick="y()">Soon</p>'
  const sent = await service.post(`${CATEGORIES}/${id}/articles`, { title: 'Leave', body_html: html }, { key })
  assert.equal(sent.status, 201, sent.text)
  assert.equal(sent.headers.get('location'), `/api/public/v3${ARTICLES}/${sent.body.data.id}`)
  const { id: _id, created_at: _at, updated_at: _changed, ...shown } = sent.body.data
  assert.deepEqual(shown, {
    title: 'Leave',
    body: 'Ask early & often\nSoon',
    body_html: '<p>Ask <b>early</b> &amp; often</p><p>Soon</p>',
    position: 1,
    state: 'draft',
    published_at: null,
    category: { id, name: 'First days' },
    created_by,
  })
  const twice = await service.post(CATEGORIES, { name: 'FIRST days' })
  assert.equal(twice.body.errors[0].code, 'taken')
  assert.equal((await service.delete(`${CATEGORIES}/${id}`)).body.code, 'in_use')
  assert.equal((await service.post(`${CATEGORIES}/99999/articles`, { title: 'X' })).status, 404)
  const bad = await service.post(ARTICLES, { title: ' ', state: 'open', position: 0 })
  assert.deepEqual(bad.body.errors.map(({ field }: any) => field).sort(), ['category_id', 'position', 'state', 'title'])
})

test('an article body can be plain text or HTML, and sending the read text back keeps the markup', async () => {
  const { id } = await category()
  const plain = await article(id, { body: 'If a < b & c:\nstop.\n\nElse go on.' })
  assert.equal(plain.body_html, '<p>If a &lt; b &amp; c:<br />stop.</p><p>Else go on.</p>')
  assert.equal(plain.body, 'If a < b & c:\nstop.\n\nElse go on.')
  const marked = await article(id, { body: '<h2>Why</h2><p>So <a href="javascript:x()">it</a> is</p>' })
  assert.deepEqual([marked.body_html, marked.body], ['<h2>Why</h2><p>So <a>it</a> is</p>', 'Why\nSo it is'])
  const same = await change(marked.id, { title: 'Other', body: marked.body })
  assert.deepEqual([same.title, same.body_html], ['Other', marked.body_html])
  const bolder = await change(marked.id, { body: '<h2>Why</h2><p>So <b>it</b> is</p>' })
  assert.deepEqual([bolder.body, bolder.body_html], [marked.body, '<h2>Why</h2><p>So <b>it</b> is</p>'])
  await change(marked.id, { body_html: marked.body_html })
  const again = await change(marked.id, { body: marked.body, body_html: marked.body_html })
  assert.equal(again.updated_at, same.updated_at)
  const cleared = await change(marked.id, { body: null })
  assert.deepEqual([cleared.body, cleared.body_html], ['', ''])
  const long = await service.put(`${ARTICLES}/${marked.id}`, { body: '<'.repeat(40_000) })
  assert.deepEqual([long.status, long.body.errors[0].code], [422, 'too_long'])
})

test('HTML keeps nothing that runs, loads or leads to a script', async () => {
  const { id } = await category()
  const cleaned: [string, string][] = [
    ...['javascript:x()', 'JaVaScRiPt:x()', ' javascript:x()', 'java\tscript:x()', 'java&#10;script:x()'].map(
      (address): [string, string] => [`<a href="${address}">a</a>`, '<a>a</a>'],
    ),
    ...['&#106;avascript:x()', 'javascript&colon;x()', '&#x01;javascript:x()', 'vbscript:x', 'data:text/html,x'].map(
      (address): [string, string] => [`<a href="${address}">a</a>`, '<a>a</a>'],
    ),
    [
      '<a href="https://example.com" onclick="x()" style="color:red" target="_top">a</a>',
      '<a href="https://example.com">a</a>',
    ],
    ['<p onmouseover="x()" id="root">a<img src="x" onerror="x()"></p>', '<p>a</p>'],
    ['<p>a</p><script>x()</script><style>p{}</style><textarea>b</textarea>', '<p>a</p>'],
    ['<p>a<svg onload="x()"><a xlink:href="javascript:x()">b</a></svg></p>', '<p>a<a>b</a></p>'],
    ['<p>a</p><iframe src="//example.com"></iframe><object data="x"></object><base href="//x">', '<p>a</p>'],
    ['<p>a</p><form action="//x"><button formaction="javascript:x()">b</button></form>', '<p>a</p>b'],
    ['<scr<script>ipt>x()</script><p>a</p>', 'ipt&gt;x()<p>a</p>'],
    ['<p>a<!-- --!><img src=x onerror=x()> --></p>', '<p>a</p>'],
    ['<p>[[[[<b>[a](javascript:x())</b>]]]]</p>', '<p>[[[[<b>[a](javascript:x())</b>]]]]</p>'],
  ]
  for (const [body_html, expected] of cleaned)
    assert.equal((await article(id, { body_html })).body_html, expected, body_html)
})

test('a long text of brackets or tags is rejected without being cleaned', async () => {
  const { id: category_id } = await category()
  for (const part of ['[', '<', '<b>', '<p ', '<a href="', '&#'])
    for (const field of ['body', 'body_html']) {
      const json = { title: `Article ${++count}`, category_id, [field]: part.repeat(1_000_000 / part.length) }
      const answer = await service.post(ARTICLES, json)
      assert.deepEqual([answer.status, answer.body.errors[0].code], [422, 'too_long'], part)
    }
})

test('of body and body_html the changed one counts, and contradicting ones are rejected', async () => {
  const { id: category_id } = await category()
  const send = (json: object) => service.post(ARTICLES, { title: `Article ${++count}`, category_id, ...json })
  const refused = (answer: any) =>
    assert.deepEqual(
      [answer.status, answer.body.errors?.map((one: any) => `${one.field} ${one.code}`)],
      [422, ['body mismatch']],
    )
  const forms = ({ body, body_html }: any) => [body, body_html]
  for (const body_html of [null, '', '  ', '<script>x()</script>'])
    assert.deepEqual(forms((await send({ body: 'keep', body_html })).body.data), ['keep', '<p>keep</p>'])
  assert.deepEqual(forms((await send({ body: '', body_html: '<b>x</b>' })).body.data), ['x', '<b>x</b>'])
  refused(await send({ body: 'one', body_html: '<p>other</p>' }))

  const first = (await send({ body: 'One\n\ntwo', body_html: '<p>One</p>\n<p><b>two</b></p>' })).body.data
  assert.deepEqual(forms(first), ['One\n\ntwo', '<p>One</p>\n<p><b>two</b></p>'])
  const copied = await send(first)
  assert.deepEqual([copied.status, ...forms(copied.body.data)], [201, ...forms(first)])

  const path = `${ARTICLES}/${first.id}`
  const unchanged = await service.send('PUT', path, {
    form: { body: first.body.replaceAll('\n', '\r\n'), body_html: first.body_html.replaceAll('\n', '\r\n') },
  })
  assert.deepEqual(forms(unchanged.body.data), forms(first))
  const byText = await change(first.id, { ...first, body: 'New' })
  assert.deepEqual(forms(byText), ['New', '<p>New</p>'])
  const byMarkup = await change(first.id, { ...byText, body_html: '<p>Newer</p>' })
  assert.deepEqual(forms(byMarkup), ['Newer', '<p>Newer</p>'])
  assert.deepEqual(forms(await change(first.id, { body: 'Newest', body_html: '<p><i>Newest</i></p>' })), [
    'Newest',
    '<p><i>Newest</i></p>',
  ])
  refused(await service.put(path, { body: 'this', body_html: '<p>that</p>' }))
  assert.equal((await service.get(path)).body.data.body, 'Newest')
  assert.deepEqual(forms(await change(first.id, { body: 'new text', body_html: null })), [
    'new text',
    '<p>new text</p>',
  ])
  assert.deepEqual(forms(await change(first.id, { body: null, body_html: '<p>Last</p>' })), ['Last', '<p>Last</p>'])
  assert.deepEqual(forms(await change(first.id, { body: '', body_html: '<p>Last</p>' })), ['', ''])
  await change(first.id, { body: 'Again' })
  assert.deepEqual(forms(await change(first.id, { body: null, body_html: null })), ['', ''])
})

test('special characters in plain text are not treated as markup, also when sent back', async () => {
  const { id } = await category()
  for (const body of [
    'if a<b and c>d then',
    'use List<String> here',
    'a<b>c',
    '<script>alert(1)</script>',
    'see <https://example.com> & <me@example.com>',
    'Tom &amp; Jerry &lt;3',
  ]) {
    const made = await article(id, { body })
    assert.equal(made.body, body)
    assert.ok(!/<(?!\/?p>)/.test(made.body_html), made.body_html)
    const more = await change(made.id, { body: `${made.body} more` })
    assert.equal(more.body, `${body} more`)
    assert.equal((await change(made.id, { ...more, body: `${more.body} still` })).body, `${body} more still`)
  }
  const quoting = await article(id, { body_html: '<p>Write &lt;b&gt;bold&lt;/b&gt;</p>' })
  assert.equal(quoting.body, 'Write <b>bold</b>')
  const more = await change(quoting.id, { body: `${quoting.body} more` })
  assert.deepEqual([more.body, more.body_html], ['Write <b>bold</b> more', '<p>Write &lt;b&gt;bold&lt;/b&gt; more</p>'])
  for (const [body, text] of [
    ['<p class="x">Hello</p>', 'Hello'],
    ['one<br/>two', 'one\ntwo'],
    ['<ol reversed><li>x</ol>', 'x'],
    ['<STRONG>x</STRONG>', 'x'],
  ])
    assert.equal((await article(id, { body })).body, text)
})

test('words in separate elements stay separate in the text and are found', async () => {
  const { id } = await category()
  const html =
    '<table><caption>Whom</caption><tr><th>Place</th><th>Name</th></tr><tr><td>Dresden</td><td>Kowalski</td></tr></table>' +
    '<dl><dt>Gate</dt><dd>Tor</dd></dl>Before<ul><li>Outer<ul><li>Inner</li></ul></li></ul><section>Left</section>' +
    '<section>Right</section><blockquote>Said</blockquote>up<b>on</b>'
  const made = await article(id, { body_html: html })
  assert.equal(
    made.body,
    'Whom\nPlace Name\nDresden Kowalski\nGate\nTor\nBefore\nOuter\nInner\nLeft\nRight\nSaid\nupon',
  )
  for (const q of ['dresden', 'kowalski', 'tor', 'inner', 'right'])
    assert.deepEqual(
      (await service.get(`${ARTICLES}?q=${q}`)).body.data.map((one: any) => one.id),
      [made.id],
      q,
    )
})

test('css_class accepts class names only', async () => {
  const { id } = await category({ css_class: 'md:w-1/2 p-[1.5] kb_Welcome' })
  for (const css_class of ['"><script>', "a'b", 'a{b', 'a\nb', 'é', 'x'.repeat(256), 'a;b']) {
    const answer = await service.put(`${CATEGORIES}/${id}`, { css_class })
    assert.deepEqual([answer.status, answer.body.errors?.[0].field], [422, 'css_class'], css_class)
  }
  const long = `a${' b'.repeat(127)}`
  for (const [css_class, kept] of [
    [long, long],
    ['', null],
    [null, null],
  ])
    assert.equal((await service.put(`${CATEGORIES}/${id}`, { css_class })).body.data.css_class, kept)
})

test('drafts are hidden from readers in reads, lists, counts and search until published', async () => {
  const { id } = await category()
  const hidden = await article(id, { title: 'Zebra crossing', body: 'Giraffe' })
  const open = await article(id, { title: 'Zebra', state: 'published' })
  assert.equal(open.published_at, now.toISOString())
  const seen = async (path: string, key?: string) => {
    const { body } = await service.get(path, key ? { key } : {})
    assert.equal(body.metadata.count, body.data.length)
    return body.data.map((one: any) => one.id)
  }
  for (const path of [`${ARTICLES}?category_id=${id}`, `${CATEGORIES}/${id}/articles`, `${ARTICLES}?q=zebra`]) {
    assert.deepEqual(await seen(path), [hidden.id, open.id])
    assert.deepEqual(await seen(path, reader), [open.id], path)
  }
  for (const query of ['q=giraffe', `state=draft`]) assert.deepEqual(await seen(`${ARTICLES}?${query}`, reader), [])
  const missing = await service.get(`${ARTICLES}/${hidden.id}`, { key: reader })
  const unknown = await service.get(`${ARTICLES}/999999`, { key: reader })
  assert.deepEqual([missing.status, withoutRequestId(missing.text)], [404, withoutRequestId(unknown.text)])

  now = new Date(now.getTime() + 60_000)
  assert.equal((await change(hidden.id, { state: 'published' })).published_at, now.toISOString())
  assert.deepEqual(await seen(`${ARTICLES}?q=giraffe`, reader), [hidden.id])
  const at = now.toISOString()
  now = new Date(now.getTime() + 60_000)
  assert.equal((await change(hidden.id, { state: 'published' })).published_at, at, 'sent again it changes nothing')
  for (const state of ['', null, 'open'])
    assert.equal((await service.put(`${ARTICLES}/${hidden.id}`, { state })).status, 422)
  assert.equal((await change(hidden.id, { state: 'draft' })).published_at, null)
  assert.equal((await service.get(`${ARTICLES}/${hidden.id}`, { key: reader })).status, 404)
})

test('articles are found by words of title and text, also in very long ones', async () => {
  const { id } = await category()
  const words = Array.from({ length: 9000 }, (_, n) => `w${n}`).join(' ')
  const long = await article(id, {
    title: 'Quokka',
    body: `wallaby ${'and '.repeat(500)} wombat ${words}`.slice(0, 65_000),
  })
  const found = async (q: string) =>
    (await service.get(`${ARTICLES}?q=${encodeURIComponent(q)}`)).body.data.map((one: any) => one.id)
  for (const q of ['quokka', 'WALL', 'wombat quok', 'w1500']) assert.deepEqual(await found(q), [long.id], q)
  const kept = await service.database.query((sql) =>
    sql
      .selectFrom('search_words')
      .select('word')
      .where('resource', '=', 'knowledge_base_articles')
      .where('record_id', '=', long.id)
      .execute(),
  )
  assert.equal(kept.length, 2000, 'different words, and no more than are bearable')
  await change(long.id, { body_html: '<p>Only <b>bandicoot</b></p>' })
  assert.deepEqual([await found('bandicoot'), await found('wombat'), await found('quokka')], [[long.id], [], [long.id]])
  assert.ok(!(await found('p')).includes(long.id), 'markup is no word')
  const thai = await article(id, { title: '休暇の申請方法' })
  assert.deepEqual(await found('申請'), [thai.id])
})

test('positions in a category stay without gaps after adding, moving and deleting', async () => {
  const [one, other] = [await category(), await category()]
  const [a, b, c, d] = [
    await article(one.id),
    await article(one.id),
    await article(one.id),
    await article(one.id, { position: 1 }),
  ].map(({ id }) => id) as [number, number, number, number]
  const places = (...ids: number[]) => ids.map((id, index) => [index + 1, id])
  assert.deepEqual(await order(one.id), places(d, a, b, c))
  await change(d, { position: 3 })
  assert.deepEqual(await order(one.id), places(a, b, d, c))
  await change(a, { position: 500 })
  assert.deepEqual(await order(one.id), places(b, d, c, a))
  await change(a, { position: null })
  const { updated_at } = (await service.get(`${ARTICLES}/${b}`)).body.data
  now = new Date(now.getTime() + 60_000)
  assert.equal((await change(b, { position: 1 })).updated_at, updated_at, 'where it is already nothing changes')
  const x = (await article(other.id)).id
  await change(d, { category_id: other.id })
  assert.deepEqual([await order(one.id), await order(other.id)], [places(b, c, a), places(x, d)])
  await change(b, { category_id: other.id, position: 1 })
  assert.deepEqual([await order(one.id), await order(other.id)], [places(c, a), places(b, x, d)])
  await service.delete(`${ARTICLES}/${b}`)
  assert.deepEqual(await order(other.id), places(x, d))
  const refused = await service.put(`${ARTICLES}/${x}`, { category_id: 99_999, position: 2, title: '' })
  assert.deepEqual(refused.body.errors.map(({ field }: any) => field).sort(), ['category_id', 'title'])
  assert.deepEqual(await order(other.id), places(x, d))
  await Promise.all([change(x, { position: 2 }), change(a, { category_id: other.id, position: 1 }), article(other.id)])
  const left = await order(other.id)
  assert.deepEqual(
    left.map(([place]: number[]) => place),
    [1, 2, 3, 4],
  )
})

test('categories keep positions without gaps', async () => {
  const made = [await category(), await category()]
  const all = async () => (await service.get(CATEGORIES)).body.data.sort((a: any, b: any) => a.position - b.position)
  const last = made[1]
  await service.put(`${CATEGORIES}/${last.id}`, { position: 1 })
  const list = await all()
  assert.equal(list[0].id, last.id)
  assert.equal((await service.delete(`${CATEGORIES}/${made[0].id}`)).status, 204)
  const left = await all()
  assert.deepEqual(
    left.map((one: any) => one.position),
    left.map((_: any, index: number) => index + 1),
  )
})

test('erasing an author keeps the article without their name', async () => {
  const author = await service.hire()
  const key = (await service.post('/api_keys', { name: 'Own', permissions: ['knowledge:*'], employee_id: author.id }))
    .body.data.key
  const { id } = await category()
  const { body } = await service.post(`${CATEGORIES}/${id}/articles`, { title: 'Mine' }, { key })
  assert.equal(body.data.created_by.id, author.id)
  assert.equal((await service.delete(`/employees/${author.id}?erase=true`)).status, 204)
  assert.equal((await service.get(`${ARTICLES}/${body.data.id}`)).body.data.created_by, null)
})
