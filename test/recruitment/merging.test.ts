import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { entriesSince } from '../../src/records/entries.ts'
import { readCatalogue } from '../catalogue.ts'
import { oneEngineTest } from '../thorough.ts'
import { type Office, openOffice } from './office.ts'

const folder = mkdtempSync(join(tmpdir(), 'cadre-merging-'))
let office: Office
before(async () => {
  office = await openOffice({ config: { CADRE_FILES: folder } })
  await office.service.make('/recruitment/candidate_fields', { name: 'Notice', type: 'text' })
  await office.service.make('/recruitment/candidate_fields', {
    name: 'Shifts',
    type: 'multi_select',
    options: ['Day', 'Night'],
  })
})
after(async () => {
  await office.service.stop()
  rmSync(folder, { recursive: true })
})

const dataUri = (name: string, text: string) =>
  `data:text/plain;name=${name};base64,${Buffer.from(text).toString('base64')}`
const placeOf = ({ id }: { id: number }) => `/recruitment/candidates/${id}`
const merge = (target: { id: number }, duplicate: { id: number }) =>
  office.service.post(`${placeOf(target)}/merge`, { duplicate_id: duplicate.id })
const notesOf = async (one: { id: number }): Promise<string[]> =>
  (await office.show(`${placeOf(one)}/notes`)).map((note: any) => note.comment)

/** A candidate who has something of everything that there is. */
async function fullCandidate(values: Record<string, unknown> = {}) {
  const { service } = office
  const one = await office.candidate({
    skills: ['COBOL'],
    languages: [{ code: 'en' }],
    tags: ['Talent'],
    notice: '3 months',
    phone_numbers: ['+1 202 555 0100'],
    resume: dataUri('cv.txt', 'my life'),
    ...values,
  })
  const place = placeOf(one)
  await service.make(`${place}/notes`, { comment: 'Nice' })
  await service.make(`${place}/educations`, { school: 'Yale', name: 'Mathematics', from_year: 1930 })
  await service.make(`${place}/experiences`, { title: 'Programmer', company: 'Harvard', starts_on: '2020-01-01' })
  await service.make(`${place}/documents`, { attachment: dataUri('references.txt', 'good') })
  await service.make('/tasks', {
    name: 'Call',
    employee_id: office.lead,
    associated_to: { id: one.id, type: 'Candidate' },
  })
  await office.apply((await office.vacancy()).id, one.id)
  await merge(one, await office.candidate())
  return one
}

test('a merge moves the rows of every table that refers to the duplicate, and loses none', async () => {
  const { service } = office
  const catalogue = await readCatalogue(service.database)
  const referring = [...catalogue].flatMap(([table, { foreignKeys }]) =>
    foreignKeys.flatMap(({ table: to, columns }) =>
      to === 'candidates' ? [[table, columns[1] as string] as const] : [],
    ),
  )
  assert.ok(referring.length >= 12)
  const target = await office.candidate()
  const duplicate = await fullCandidate()
  const rowsOf = async (table: string, column: string, id: number) =>
    (
      await service.database.query((sql) =>
        sql
          .selectFrom(table)
          .select('id')
          .where('account_id', '=', service.account.id)
          .where(column, '=', id)
          .orderBy('id')
          .execute(),
      )
    ).map((row) => row.id)
  const before = new Map<string, number[]>()
  for (const [table, column] of referring) {
    before.set(table, await rowsOf(table, column, duplicate.id))
    assert.ok(before.get(table)?.length, `fullCandidate must have something in ${table}`)
  }
  assert.equal((await merge(target, duplicate)).status, 200)
  for (const [table, column] of referring) {
    const now = await rowsOf(table, column, target.id)
    assert.deepEqual(
      (before.get(table) ?? []).filter((id) => !now.includes(id)),
      [],
      table,
    )
    assert.deepEqual(await rowsOf(table, column, duplicate.id), [], table)
  }
})

/** What becomes of each column when both candidates have something in it. */
const COLUMNS: Record<string, 'stays' | 'both' | 'noted' | 'in merges' | 'stricter' | 'later'> = {
  account_id: 'stays',
  id: 'stays',
  created_at: 'stays',
  updated_at: 'stays',
  created_by_id: 'stays',
  employee_id: 'stays', // two employees are not merged
  full_name: 'noted',
  given_name: 'stays', // a part of full_name, and nothing without it
  family_name: 'stays',
  email: 'noted',
  position: 'noted',
  location: 'noted',
  level: 'noted',
  source_id: 'noted',
  cover_letter: 'noted',
  telegram_username: 'noted',
  skype_username: 'noted',
  last_contacted_at: 'later',
  date_of_birth: 'in merges',
  gender: 'in merges',
  desired_salary: 'in merges',
  currency_code: 'in merges',
  phone_numbers: 'both',
  urls: 'both',
  resume_hash: 'both',
  resume_name: 'both',
  resume_type: 'both',
  consent_kept: 'stricter',
  future_consent_kept: 'stricter',
}

test("a merge keeps the candidate's values and records the duplicate's in notes, lists or the merge record", async () => {
  const { service } = office
  const columns = (await readCatalogue(service.database)).get('candidates')?.columns ?? new Map()
  const names = [...columns.keys()].filter((name) => !name.endsWith('_key')).sort()
  assert.deepEqual(names, Object.keys(COLUMNS).sort(), 'a new column needs a decision')

  const [sourceA, sourceB] = [
    await service.make('/recruitment/sources', { name: 'Fair' }),
    await service.make('/recruitment/sources', { name: 'Friend' }),
  ]
  const words = (n: string) => ({
    full_name: `Grace ${n}`,
    email: `grace.${n}@example.com`,
    position: `Position ${n}`,
    location: `Town ${n}`,
    level: `Level ${n}`,
    telegram_username: `telegram_${n}`,
    skype_username: `skype_${n}`,
    last_contacted_at: `2024-01-0${n === 'one' ? 1 : 2}T00:00:00Z`,
    gender: n === 'one' ? 'female' : 'other',
    languages: [
      { code: 'en', level: n === 'one' ? 'c1' : 'b2' },
      { code: n === 'one' ? 'de' : 'fr', level: 'native' },
    ],
    cover_letter: `Letter ${n}`,
    phone_numbers: [`+1 202 555 ${n === 'one' ? '1111' : '2222'}`],
    urls: [`https://example.com/${n}`],
    notice: `Notice ${n}`,
    shifts: n === 'one' ? ['Day'] : ['Day', 'Night'],
    resume: dataUri(`cv-${n}.txt`, `life ${n}`),
    skills: [n, 'Both'],
    tags: [n, 'both'],
  })
  const target = await office.candidate({
    ...words('one'),
    source_id: sourceA.id,
    date_of_birth: '1990-01-01',
    desired_salary: 10,
    currency_code: 'EUR',
  })
  const duplicate = await office.candidate({
    ...words('two'),
    source_id: sourceB.id,
    date_of_birth: '1991-01-01',
    desired_salary: 20,
    currency_code: 'USD',
  })
  const merged = (await merge(target, duplicate)).body.data
  for (const name of [
    'full_name',
    'email',
    'position',
    'location',
    'level',
    'telegram_username',
    'skype_username',
    'cover_letter',
    'date_of_birth',
    'gender',
    'desired_salary',
    'currency_code',
    'source',
    'source_record',
    'created_by',
  ])
    assert.deepEqual(merged[name], target[name], name)
  assert.deepEqual(merged.phone_numbers, ['+1 202 555 1111', '+1 202 555 2222'])
  assert.deepEqual(merged.urls, ['https://example.com/one', 'https://example.com/two'])
  assert.deepEqual([...merged.skills].sort(), ['Both', 'one', 'two'])
  assert.deepEqual(
    merged.languages.map(({ code, level }: any) => `${code} ${level}`),
    ['en c1', 'de native', 'fr native'],
  )
  assert.equal(merged.last_contacted_at, '2024-01-02T00:00:00.000Z')
  assert.deepEqual([...merged.tags].sort(), ['both', 'one', 'two'])
  assert.deepEqual(
    merged.custom_fields.map((field: any) => field.value),
    ['Notice one', ['Day']],
  )

  const [note, ...more] = await notesOf(target)
  assert.deepEqual(more, [])
  for (const told of [
    'Name: Grace two',
    'E-mail: grace.two@example.com',
    'Position: Position two',
    'Location: Town two',
    'Level: Level two',
    'Telegram: telegram_two',
    'Skype: skype_two',
    'Source: Friend',
    'Language en: b2',
    'Letter two',
    'Notice: Notice two',
    'Shifts: Day, Night',
  ])
    assert.ok(note?.includes(told), `${told} in ${note}`)
  assert.ok(!/1991|USD|\b20\b|other/.test(note ?? ''), 'what can be withheld is not in a note')
  const [{ created_at, updated_at, id, ...trace }] = await office.show(`${placeOf(target)}/merges`)
  assert.deepEqual(trace, {
    merged_candidate_id: duplicate.id,
    full_name: 'Grace two',
    email: 'grace.two@example.com',
    date_of_birth: '1991-01-01',
    gender: 'other',
    desired_salary: 20,
    currency_code: 'USD',
    merged_by: null,
  })
  const key = await service.keyWith({ permissions: ['recruitment:*'], withheld: ['personal', 'compensation'] })
  const unseen = await service.get(`${placeOf(target)}/merges`, { key })
  assert.ok(!/1991|desired_salary|gender/.test(unseen.text), unseen.text)

  assert.equal(await (await fetch(merged.resume_url)).text(), 'life one')
  const documents = await office.show(`${placeOf(target)}/documents`)
  assert.deepEqual(
    documents.map((one: any) => one.filename),
    ['cv-two.txt'],
  )
  assert.equal(await (await fetch(documents[0].url)).text(), 'life two')
  assert.ok(!readdirSync(join(folder, 'candidates')).some((name) => name.endsWith(`-${duplicate.id}`)))
})

test('a merge fills empty fields from the duplicate, an amount only with its currency', async () => {
  const target = await office.candidate({ currency_code: 'EUR' })
  const values = {
    email: 'all@example.com',
    position: 'Engineer',
    location: 'Rome',
    level: 'Senior',
    cover_letter: 'Hi',
    date_of_birth: '1990-01-01',
    gender: 'female',
    telegram_username: 'all',
    skype_username: 'all',
    last_contacted_at: '2024-01-01T00:00:00.000Z',
    desired_salary: 20,
    currency_code: 'USD',
    notice: 'None',
  }
  const merged = (await merge(target, await office.candidate({ full_name: target.full_name, ...values }))).body.data
  const { notice, ...plain } = values
  for (const [name, value] of Object.entries(plain)) assert.equal(merged[name], value, name)
  assert.equal(merged.custom_fields[0].value, notice)
  assert.deepEqual(await notesOf(target), [], 'there is nothing to tell')
  const paid = await office.candidate({ desired_salary: 5 })
  const both = (await merge(paid, await office.candidate({ currency_code: 'USD', desired_salary: 7 }))).body.data
  assert.deepEqual([both.desired_salary, both.currency_code], [5, null])
})

test('phone numbers of a merged candidate find duplicates', async () => {
  const target = await office.candidate()
  await merge(target, await office.candidate({ phone_numbers: ['0049 30 7654321'] }))
  const other = await office.candidate({ phone_numbers: ['+49 30 7654321'] })
  const found = await office.show(`${placeOf(other)}/duplicates`)
  assert.deepEqual(
    found.map((one: any) => [one.candidate.id, one.same]),
    [[target.id, ['phone']]],
  )
})

oneEngineTest('a merge keeps the stricter of two consents in either direction, and notes the other', async () => {
  const { service } = office
  const steps: Record<string, object[]> = {
    none: [],
    pending: [{ status: 'pending' }],
    consented: [{ status: 'consented' }],
    'consented until 2090': [{ status: 'consented', expires_on: '2090-01-01' }],
    rejected: [{ status: 'consented' }, { status: 'rejected' }],
  }
  const strictest = ['rejected', 'pending', 'consented until 2090', 'consented', 'none']
  const consents = { processing: 'consent', future_recruitment: 'future_recruitment_consent' }
  for (const [place, strict] of strictest.entries())
    for (const lax of strictest.slice(place + 1))
      for (const sides of [
        [strict, lax],
        [lax, strict],
      ]) {
        const [target, duplicate] = [
          await office.candidate({ full_name: 'Same' }),
          await office.candidate({ full_name: 'Same' }),
        ]
        for (const [index, one] of [target, duplicate].entries())
          for (const kind of Object.keys(consents))
            for (const step of steps[sides[index] as string] ?? [])
              await service.post(`${placeOf(one)}/consent`, { kind, ...step })
        const shown = [await office.show(placeOf(target)), await office.show(placeOf(duplicate))]
        const merged = (await merge(target, duplicate)).body.data
        const told = (await notesOf(target)).join()
        for (const name of Object.values(consents)) {
          assert.deepEqual(merged[name], shown[sides.indexOf(strict)][name], sides.join(' and '))
          const { status } = shown[1][name]
          if (sides[1] === lax && !['none', merged[name].status].includes(status))
            assert.ok(told.includes(status), told)
        }
      }
})

test('merges can be traced through further merges, and a read of the duplicate names the remaining candidate', async () => {
  const { service } = office
  const [first, second, third] = [await office.candidate(), await office.candidate(), await office.candidate()]
  const last = (await entriesSince(service.database, service.account.id, 0, 1_000_000)).at(-1)?.number as number
  await merge(second, first)
  const entries = await entriesSince(service.database, service.account.id, last)
  const told = entries.find((entry) => entry.resource === 'candidate_merges')
  assert.deepEqual([told?.operation, told?.after?.merged_candidate_id], ['mergeCandidates', first.id])
  await merge(third, second)
  assert.deepEqual((await office.show(placeOf(third))).merged_ids, [first.id, second.id])
  for (const gone of [first, second])
    for (const [method, place] of [
      ['GET', placeOf(gone)],
      ['PUT', placeOf(gone)],
      ['DELETE', placeOf(gone)],
      ['GET', `${placeOf(gone)}/notes`],
      ['GET', `${placeOf(gone)}/merges`],
      ['GET', `${placeOf(gone)}/duplicates`],
    ] as const) {
      const { status, body } = await service.send(method, place)
      assert.deepEqual([status, body.code], [404, 'merged'], `${method} ${place}`)
      assert.equal(
        body.detail,
        `Candidate ${gone.id} was merged into candidate ${third.id}. Use candidate ${third.id}.`,
      )
    }
  await service.delete(placeOf(third))
  assert.equal((await service.get(placeOf(first))).body.code, 'not_found', 'nothing is left of an erased person')
})

test('of concurrent merges one succeeds, and no candidate is lost', async () => {
  const [one, two] = [await office.candidate({ skills: ['a'] }), await office.candidate({ skills: ['b'] })]
  const crossed = await Promise.all([merge(one, two), merge(two, one)])
  assert.deepEqual(crossed.map(({ status }) => status).sort(), [200, 404])
  const left = crossed.find(({ status }) => status === 200)?.body.data
  assert.deepEqual([...left.skills].sort(), ['a', 'b'])
  const [three, four] = [await office.candidate(), await office.candidate()]
  const same = await Promise.all([merge(three, four), merge(left, four)])
  assert.deepEqual(same.map(({ status }) => status).sort(), [200, 422])
})

test('if both candidates applied to one vacancy, the caller chooses the application to keep; undo restores both', async () => {
  const { service, stages } = office
  const { id, title } = await office.vacancy()
  const [target, duplicate] = [await office.candidate(), await office.candidate()]
  const [own, other] = [await office.apply(id, target.id), await office.apply(id, duplicate.id)]
  const [ownId, otherId] = [own, other].map((path) => Number(path.split('/').at(-1)))
  await service.put(other, { pipeline_stage_id: stages[1] })
  const reason = await service.make('/recruitment/disqualify_reasons', { name: 'Withdrew' })
  await service.post(`${own}/disqualify`, { disqualify_reason_id: reason.id, comment: 'Found another one' })
  const choose = (keep_application_ids: unknown, more = {}) =>
    service.post(`${placeOf(target)}/merge`, { duplicate_id: duplicate.id, keep_application_ids }, more)
  for (const open of [undefined, [], [ownId, otherId]]) {
    const refused = await choose(open)
    assert.equal(refused.status, 409, refused.text)
    assert.ok(refused.body.detail.includes(`${title} (applications ${ownId} and ${otherId})`), refused.text)
  }
  const wrong = await choose([otherId, 999_999])
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [422, 'keep_application_ids[1]'])
  const before = [await office.show(own), await office.show(other)]
  const merged = await choose([otherId])
  assert.equal(merged.status, 200, merged.text)
  assert.deepEqual(
    merged.body.data.applications.map((one: any) => [one.id, one.pipeline_state.id, one.disqualified_at]),
    [[otherId, stages[1], null]],
  )
  const told = (await notesOf(target)).join()
  for (const word of [title, 'Applied since', 'Withdrew', 'Found another one']) assert.ok(told.includes(word), told)
  assert.match(
    told,
    new RegExp(`candidate ${duplicate.id}\\. Applications that were replaced:\\s+Application for ${title}`),
  )
  const undone = await service.post(`/requests/${merged.headers.get('x-request-id')}/undo`)
  assert.equal(undone.status, 200, undone.text)
  const still = [await office.show(own), await office.show(other)]
  const bare = ({ updated_at: _, ...rest }: any) => rest
  assert.deepEqual(still.map(bare), before.map(bare))
  const stays = await office.show(`/recruitment/movements?vacancy_ids[]=${id}`)
  assert.equal(stays.length, 3)
})

test('a merge always keeps the application that led to a hire', async () => {
  const { service } = office
  const { id } = await office.vacancy({ positions: 2 })
  const [target, duplicate] = [await office.candidate(), await office.candidate({ email: 'twin@hire.example' })]
  const [own, other] = [await office.apply(id, target.id), await office.apply(id, duplicate.id)]
  assert.equal((await service.post(`${other}/hire`)).status, 200)
  const choose = (path: string) =>
    service.post(`${placeOf(target)}/merge`, {
      duplicate_id: duplicate.id,
      keep_application_ids: [Number(path.split('/').at(-1))],
    })
  assert.equal((await choose(own)).status, 409)
  const merged = await choose(other)
  assert.equal(merged.status, 200, merged.text)
  assert.ok((await office.show(other)).hired_at)
})

test('notes written by a merge can be sent back at any length', async () => {
  const { service } = office
  const long = 'x'.repeat(65_535)
  const target = await office.candidate({ cover_letter: 'short', notice: 'short' })
  const duplicate = await office.candidate({ cover_letter: long, notice: 'y'.repeat(60_000) })
  assert.equal((await merge(target, duplicate)).status, 200)
  const notes = (await service.get(`${placeOf(target)}/notes`)).body.data
  assert.ok(notes.some((note: any) => note.comment === long))
  for (const { id, comment } of notes)
    assert.equal((await service.put(`${placeOf(target)}/notes/${id}`, { comment })).status, 200, `${comment.length}`)
})

test('merge notes contain no values of protected custom fields', async () => {
  const { service } = office
  const fields = [
    { name: 'Bonus', type: 'text', value: ['own bonus', 'Quagga'] },
    { name: 'Band', type: 'single_select', options: ['Okapi', 'Tapir'], value: ['Okapi', 'Tapir'] },
    { name: 'Perks', type: 'multi_select', options: ['Dodo', 'Moa'], value: [['Dodo'], ['Moa']] },
  ]
  for (const { value: _, ...field } of fields)
    await service.make('/recruitment/candidate_fields', { ...field, protection: 'compensation' })
  const valuesOf = (which: number) =>
    Object.fromEntries(fields.map(({ name, value }) => [name.toLowerCase(), value[which]]))
  const target = await office.candidate({ ...valuesOf(0), notice: 'soon' })
  const duplicate = await office.candidate({ ...valuesOf(1), notice: 'later' })
  const answer = await merge(target, duplicate)
  const notes = (await notesOf(target)).join()
  assert.match(notes, /Notice: later/)
  assert.doesNotMatch(notes, /Quagga|Tapir|Moa|Bonus/)
  const key = await service.keyWith({ permissions: ['*'], withheld: ['compensation'] })
  const since = Number(answer.headers.get('cadre-ledger')) - 50
  const told = [`/changes?since=${since}&limit=1000`, `${placeOf(target)}/history?parts=true`]
  for (const path of told) assert.doesNotMatch((await service.get(path, { key })).text, /Quagga|Tapir|Moa/, path)
  const trial = { key, headers: { prefer: 'dry-run' } }
  const undo = await service.post(`/requests/${answer.headers.get('x-request-id')}/undo`, {}, trial)
  assert.doesNotMatch(undo.text, /Quagga|Tapir|Moa/)
})

test('merging needs a role that covers and sees all of recruitment', async () => {
  const { service } = office
  const { id: vacancyId } = await office.vacancy()
  const roles = (await service.get('/roles?per_page=200')).body.data
  const standard = (name: string) => roles.find((one: any) => one.standard === name).id as number
  const sees = ['compensation', 'personal']
  const blind = await service.make('/roles', {
    name: 'Recruits without notes',
    grants: [
      { scope: 'everybody', permissions: ['recruitment:*'], sees },
      { scope: 'everybody', permissions: ['tasks:*'], sees: ['compensation', 'personal', 'notes', 'planned'] },
    ],
  })
  for (const [roleId, status] of [
    [standard('hiring_manager'), 403],
    [blind.id, 403],
    [standard('recruiter'), 200],
  ] as const) {
    const target = await office.candidate()
    const duplicate = await office.candidate()
    await office.apply(vacancyId, target.id)
    await office.apply((await office.vacancy()).id, duplicate.id)
    const task = await service.make('/tasks', {
      name: 'Call them',
      employee_id: office.lead,
      associated_to: { id: duplicate.id, type: 'Candidate' },
    })
    const { key } = await service.make('/api_keys', {
      name: `Role ${roleId}`,
      permissions: ['*'],
      employee_id: office.lead,
      role_ids: [roleId],
    })
    const json = { duplicate_id: duplicate.id }
    const merged = await service.send('POST', `/recruitment/candidates/${target.id}/merge`, { key, json })
    assert.equal(merged.status, status, merged.text)
    // What others have to do about them comes along, whoever it is for.
    const about = (await office.show(`/tasks/${task.id}`)).associated_to.id
    assert.equal(about, status === 200 ? target.id : duplicate.id)
  }
})
