import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Office, openOffice } from './office.ts'

const NOW = '2036-06-15T12:00:00.000Z'
let office: Office
before(async () => {
  office = await openOffice({ clock: () => new Date(NOW) })
})
after(() => office.service.stop())

const placeOf = ({ id }: { id: number }) => `/recruitment/candidates/${id}`
const change = (one: { id: number }, json: unknown) => office.service.put(placeOf(one), json)
const fields = ({ body }: { body: any }) => body.errors?.map((error: any) => `${error.field} ${error.code}`)
const none = { status: 'none', consented_at: null, rejected_at: null, expired_at: null }

describe('the gender of a candidate', () => {
  test('is set by name or id of the list, and an old value can be sent back after the list changed', async () => {
    const { service } = office
    const own = await service.make('/genders', { name: 'Non-binary' })
    for (const gender of ['non-BINARY', own.id, String(own.id), ' Non-binary '])
      assert.equal((await office.candidate({ gender })).gender, 'Non-binary', String(gender))
    const one = await office.candidate({ gender: 'non-binary' })
    const unknown = await change(one, { gender: 'purple', last_contacted_at: '2040-01-01T00:00:00Z' })
    assert.deepEqual([unknown.status, fields(unknown)], [422, ['gender not_found', 'last_contacted_at in_the_future']])
    assert.match(unknown.body.errors[0].message, /male, female, other, Non-binary/)
    await service.put(`/genders/${own.id}`, { name: 'Diverse' })
    assert.equal((await change(one, { gender: 'Non-binary', level: 'Senior' })).body.data.gender, 'Non-binary')
    assert.equal((await change(one, { gender: null })).body.data.gender, null)
    const form = await service.send('PUT', placeOf(one), { form: { gender: 'FEMALE' } })
    assert.equal(form.body.data.gender, 'female')
    assert.equal((await service.send('PUT', placeOf(one), { form: { gender: '' } })).body.data.gender, null)
  })

  test('is personal, and is copied when the candidate is hired', async () => {
    const { service } = office
    const one = await office.candidate({ full_name: 'Ada King', gender: 'female' })
    const key = await service.keyWith({ permissions: ['recruitment:*'], withheld: ['personal'] })
    const unseen = await service.get(placeOf(one), { key })
    assert.ok(!('gender' in unseen.body.data))
    assert.match(unseen.headers.get('cadre-omitted') ?? '', /personal/)
    assert.equal((await service.put(placeOf(one), { gender: 'male' }, { key })).status, 403)
    const hired = await service.post(`${await office.apply((await office.vacancy()).id, one.id)}/hire`)
    assert.equal(hired.body.data.employee.gender.name, 'female')
  })
})

describe('the languages of a candidate', () => {
  test('are codes with levels, replaced as a list, and unchanged ones keep their id', async () => {
    const one = await office.candidate({ languages: [{ code: 'EN', level: 'B2' }, { code: 'de' }] })
    const [en, de] = one.languages
    assert.deepEqual([en.code, en.level, de.code, de.level], ['en', 'b2', 'de', null])
    const changed = (
      await change(one, {
        languages: [
          { code: 'uk', level: 'native' },
          { code: 'en', level: 'c1' },
        ],
      })
    ).body.data
    assert.deepEqual(
      changed.languages.map(({ id, code, level }: any) => [id === en.id, code, level]),
      [
        [true, 'en', 'c1'],
        [false, 'uk', 'native'],
      ],
    )
    assert.deepEqual((await office.show(placeOf(one))).languages, changed.languages)
    const same = await change(one, { languages: changed.languages })
    assert.deepEqual([same.body.data.languages, same.body.data.updated_at], [changed.languages, changed.updated_at])
    assert.equal((await change(one, { position: 'Clerk' })).body.data.languages.length, 2, 'what is not sent stays')
    const form = await office.service.send('PUT', placeOf(one), {
      form: { languages: [{ code: 'fr', level: 'a1' }, { code: 'it' }] },
    })
    assert.deepEqual(
      form.body.data.languages.map((each: any) => each.code),
      ['fr', 'it'],
    )
    for (const nothing of [[], null])
      assert.deepEqual((await change(one, { languages: nothing })).body.data.languages, [], JSON.stringify(nothing))
  })

  test('that are invalid are all reported at once, and nothing is stored', async () => {
    const one = await office.candidate({ languages: [{ code: 'en' }] })
    const answer = await change(one, {
      languages: [{ code: 'english' }, { code: 'xx', level: 'fluent' }, { code: 'de' }, { code: 'DE', level: 'b1' }],
    })
    assert.deepEqual(
      [answer.status, fields(answer)],
      [
        422,
        [
          'languages[0].code invalid',
          'languages[1].code invalid',
          'languages[1].level not_allowed',
          'languages[3].code repeated',
        ],
      ],
    )
    assert.equal((await change(one, { languages: [{ level: 'b1' }] })).status, 422)
    assert.equal((await change(one, { languages: ['en'] })).status, 422)
    assert.equal((await office.show(placeOf(one))).languages.length, 1)
  })
})

test('a source is readable as text and as a record, and follows renames', async () => {
  const { service } = office
  const source = await service.make('/recruitment/sources', { name: 'Meetup' })
  const one = await office.candidate({ source_id: source.id, telegram_username: 'ada', skype_username: 'live:ada' })
  assert.deepEqual(
    [one.source, one.source_record, one.telegram_username, one.skype_username],
    ['Meetup', { id: source.id, name: 'Meetup' }, 'ada', 'live:ada'],
  )
  await service.put(`/recruitment/sources/${source.id}`, { name: 'Conference' })
  const [listed] = (await service.get(`/recruitment/candidates?source_id=${source.id}`)).body.data
  assert.deepEqual([listed.source, listed.source_record.name], ['Conference', 'Conference'])
  const cleared = (await change(one, { source_id: null })).body.data
  assert.deepEqual([cleared.source, cleared.source_record], [null, null])
})

test('last_contacted_at accepts Unix seconds and times with a zone', async () => {
  const one = await office.candidate({ last_contacted_at: '2036-06-15T10:00:00+02:00' })
  assert.equal(one.last_contacted_at, '2036-06-15T08:00:00.000Z')
  assert.equal(
    (await change(one, { last_contacted_at: 2_000_000_000 })).body.data.last_contacted_at,
    '2033-05-18T03:33:20.000Z',
  )
  assert.equal((await change(one, { last_contacted_at: null })).body.data.last_contacted_at, null)
})

describe('consents in the body of a candidate', () => {
  test('are set by their times: the latest one decides the status', async () => {
    const [early, late] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']
    const told: [Record<string, unknown>, object][] = [
      [{ consent: { consented_at: early } }, { ...none, status: 'consented', consented_at: early }],
      [{ consented_at: early }, { ...none, status: 'consented', consented_at: early }],
      [
        { consent: { consented_at: early, rejected_at: late } },
        { ...none, status: 'rejected', consented_at: early, rejected_at: late },
      ],
      [
        { consent: { consented_at: late, rejected_at: early } },
        { ...none, status: 'consented', consented_at: late, rejected_at: early },
      ],
      [
        { consent: { consented_at: early, expired_at: '2031-01-01T10:30:00Z' } },
        { ...none, status: 'expired', consented_at: early, expired_at: '2031-01-01T10:30:00.000Z' },
      ],
      [{ consent: { status: 'consented' } }, { ...none, status: 'consented', consented_at: NOW }],
      [{ consent: { status: 'rejected' } }, { ...none, status: 'rejected', rejected_at: NOW }],
      [{ consent: { status: 'pending' } }, { ...none, status: 'pending' }],
      [{ consent: { status: 'none', consented_at: null } }, none],
      [{ consent: {} }, none],
      [{ consent: null }, none],
    ]
    for (const [sent, expected] of told) {
      const one = await office.candidate(sent)
      assert.deepEqual(one.consent, expected, JSON.stringify(sent))
      assert.deepEqual(one.future_recruitment_consent, none)
      const again = await change(one, { consent: one.consent, future_recruitment_consent: none })
      assert.deepEqual([again.status, again.body.data?.consent], [200, expected], again.text)
      assert.equal(again.body.data.updated_at, one.updated_at, 'what was read changes nothing when it is sent back')
    }
    const future = await office.candidate({ future_recruitment_consent: { status: 'consented', consented_at: early } })
    assert.deepEqual([future.consent.status, future.future_recruitment_consent.consented_at], ['none', early])
    const form = await office.service.send('POST', '/recruitment/candidates', {
      form: { full_name: 'Form', consent: { status: 'consented', consented_at: early, rejected_at: '' } },
    })
    assert.equal(form.body.data.consent.consented_at, early)
  })

  test('cannot contradict each other or be in the future', async () => {
    const [early, late] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']
    for (const [sent, ...expected] of [
      [{ consent: { consented_at: '2036-07-01T00:00:00Z' } }, 'consent.consented_at in_the_future'],
      [{ rejected_at: '2036-07-01T00:00:00Z' }, 'rejected_at in_the_future'],
      [{ consent: { status: 'consented', consented_at: early, rejected_at: late } }, 'consent.rejected_at mismatch'],
      [{ consent: { status: 'consented', expired_at: early } }, 'consent.expired_at mismatch'],
      [{ consent: { status: 'rejected', consented_at: late, rejected_at: early } }, 'consent.rejected_at too_early'],
      [{ consent: { status: 'expired' } }, 'consent.consented_at required'],
      [{ consent: { status: 'expired', consented_at: late, expired_at: early } }, 'consent.expired_at too_early'],
      [{ consent: { status: 'pending', rejected_at: early } }, 'consent.rejected_at mismatch'],
      [{ consent: { status: 'none', consented_at: early } }, 'consent.consented_at mismatch'],
      [{ consent: { consented_at: early }, consented_at: late }, 'consented_at mismatch'],
      [{ consent: null, consented_at: late }, 'consented_at mismatch'],
      [{ consent: { status: '' } }, 'consent.status blank'],
      [{ consent: { status: 'given' }, email: 'x' }, 'email invalid', 'consent.status not_allowed'],
      [{ consent: 'yes' }, 'consent wrong_type'],
    ] as [object, ...string[]][]) {
      const answer = await office.service.post('/recruitment/candidates', { full_name: 'A', ...sent })
      assert.deepEqual([answer.status, fields(answer)], [422, expected], JSON.stringify(sent))
    }
  })

  test('follow the allowed transitions, and keep a set expiry date', async () => {
    const one = await office.candidate()
    const set = (consent: unknown) => change(one, { consent })
    assert.equal((await set({ status: 'rejected' })).status, 200)
    for (const sent of [{ status: 'consented' }, { status: 'none' }, null, { consented_at: NOW }]) {
      const answer = await set(sent)
      if (sent && 'consented_at' in sent)
        assert.equal(answer.body.data.consent.status, 'rejected', 'the same moment: rejected')
      else assert.equal(answer.status, 409, JSON.stringify(sent))
    }
    assert.equal((await set({ status: 'pending' })).body.data.consent.status, 'pending')
    assert.equal((await set({ status: 'consented' })).body.data.consent.consented_at, NOW)
    const until = { kind: 'processing', status: 'consented', expires_on: '2036-06-20' }
    await office.service.post(`${placeOf(one)}/consent`, until)
    const { consent } = await office.show(placeOf(one))
    assert.equal((await set(consent)).status, 200)
    const kept = await office.service.database.query((sql) =>
      sql.selectFrom('candidates').select('consent_kept').where('id', '=', one.id).executeTakeFirstOrThrow(),
    )
    assert.equal(JSON.parse(kept.consent_kept).expires_on, '2036-06-20')
  })
})

test('an expired consent is not renewed by sending back the value read before', async () => {
  let now = new Date(NOW)
  const moving = await openOffice({ clock: () => now })
  try {
    const { id } = await moving.candidate()
    const place = `/recruitment/candidates/${id}`
    await moving.service.post(`${place}/consent`, { kind: 'processing', status: 'consented', expires_on: '2036-06-20' })
    const read = (await moving.show(place)).consent
    now = new Date('2036-06-21T12:00:00Z')
    for (const consent of [read, { expired_at: null }]) {
      const answer = await moving.service.put(place, { consent })
      assert.deepEqual(
        [answer.status, fields(answer)],
        [422, ['consent.consented_at too_early']],
        JSON.stringify(consent),
      )
    }
    assert.equal((await moving.show(place)).consent.status, 'expired')
    const anew = (await moving.service.put(place, { consent: { status: 'consented' } })).body.data.consent
    assert.deepEqual([anew.status, anew.consented_at], ['consented', now.toISOString()])
  } finally {
    await moving.service.stop()
  }
})

test('candidates are filtered by one or several vacancies, together with a stage', async () => {
  const { service } = office
  const [first, second] = [await office.vacancy(), await office.vacancy()]
  const [a, b] = [await office.candidate(), await office.candidate()]
  const path = await office.apply(first.id, a.id)
  await office.apply(first.id, b.id)
  await office.apply(second.id, b.id)
  await service.put(path, { pipeline_stage_id: office.stages[1] })
  const found = async (query: string) =>
    (await service.get(`/recruitment/candidates?${query}`)).body.data.map(({ id }: any) => id)
  assert.deepEqual(await found(`vacancy_id=${first.id}`), [a.id, b.id])
  assert.deepEqual(await found(`vacancy_id=${second.id}`), [b.id])
  assert.deepEqual(await found(`vacancy_id=${first.id}&pipeline_stage_id=${office.stages[1]}`), [a.id])
  assert.deepEqual(await found(`vacancy_id=${second.id}&pipeline_stage_id=${office.stages[1]}`), [])
  assert.equal((await service.get('/recruitment/candidates?vacancy_id=x')).status, 400)
})

describe('applications', () => {
  test('accept both names for candidate and stage, and reject different values', async () => {
    const { service } = office
    const path = office.applicationsOf((await office.vacancy()).id)
    const [a, b] = [await office.candidate(), await office.candidate()]
    const made = await service.make(path, { candidate_id: a.id, pipeline_stage_id: office.stages[1] })
    assert.deepEqual([made.applicant.id, made.candidate_id, made.pipeline_state.name], [a.id, a.id, 'Interview'])
    const both = { applicant_id: b.id, candidate_id: b.id, applicant_state_id: office.stages[0] }
    assert.equal((await service.make(path, { ...both, pipeline_stage_id: office.stages[0] })).candidate_id, b.id)
    const refused = async (body: object) => fields(await service.post(path, body))
    assert.deepEqual(await refused({ applicant_id: a.id, candidate_id: b.id }), ['candidate_id mismatch'])
    assert.deepEqual(await refused({ candidate_id: a.id }), ['candidate_id taken'])
    assert.deepEqual(await refused({}), ['applicant_id required'])
    assert.deepEqual(await refused({ applicant_id: null, candidate_id: a.id }), ['candidate_id taken'])
    assert.deepEqual(
      await refused({
        candidate_id: 99_999,
        pipeline_stage_id: 99_999,
        disqualify_reason_id: 99_999,
        disqualified_at: '2037-01-01T00:00:00Z',
      }),
      [
        'candidate_id not_found',
        'pipeline_stage_id not_found',
        'disqualify_reason_id not_found',
        'disqualified_at in_the_future',
      ],
    )
    const place = `${path}/${made.id}`
    assert.equal(
      (await service.put(place, { pipeline_stage_id: office.stages[0] })).body.data.pipeline_state.name,
      'Applied',
    )
    const differing = { applicant_state_id: office.stages[0], pipeline_stage_id: office.stages[1] }
    assert.deepEqual(fields(await service.put(place, differing)), ['pipeline_stage_id mismatch'])
  })

  test('can be created as disqualified, and cannot move until requalified', async () => {
    const { service } = office
    const reason = await service.make('/recruitment/disqualify_reasons', { name: 'Too far away' })
    const vacancy = await office.vacancy()
    const path = office.applicationsOf(vacancy.id)
    const past = '2036-01-01T00:00:00.000Z'
    for (const [sent, at, why] of [
      [{ disqualify_reason_id: reason.id, disqualified_at: past }, past, reason.id],
      [{ disqualify_reason_id: reason.id }, NOW, reason.id],
      [{ disqualified_at: past }, past, undefined],
      [{ disqualified_at: null, disqualify_reason_id: null }, null, undefined],
    ] as const) {
      const applicant_id = (await office.candidate()).id
      const made = await service.make(path, { applicant_id, applicant_state_id: office.stages[0], ...sent })
      assert.deepEqual([made.disqualified_at, made.disqualify_reason?.id], [at, why])
      const moved = await service.put(`${path}/${made.id}`, { applicant_state_id: office.stages[1] })
      assert.equal(moved.status, at === null ? 200 : 409)
      if (at === null) continue
      assert.equal((await service.post(`${path}/${made.id}/hire`)).status, 409)
      assert.equal((await service.post(`${path}/${made.id}/requalify`)).status, 200)
    }
    const board = (await service.get(`/recruitment/vacancies/${vacancy.id}/pipeline`)).body
    assert.deepEqual([board.applications_count, board.qualified_applications_count], [4, 4])
  })
})

test('the board of a vacancy and a new document are readable with and without the data wrapper', async () => {
  const { service } = office
  const vacancy = await office.vacancy()
  const one = await office.candidate()
  await service.make(office.applicationsOf(vacancy.id), { applicant_id: one.id, disqualified_at: NOW })
  const { data, ...bare } = (await service.get(`/recruitment/vacancies/${vacancy.id}/pipeline`)).body
  assert.deepEqual(bare, data)
  assert.deepEqual([bare.vacancy_id, bare.disqualified_applications_count], [vacancy.id, 1])
  assert.deepEqual(
    bare.stages.map((stage: any) => [stage.name, stage.disqualified_applications_count]),
    [
      ['Applied', 1],
      ['Interview', 0],
      ['Hired', 0],
    ],
  )
  const sent = await service.post(`${placeOf(one)}/documents`, { attachment: 'data:text/plain;name=a.txt;base64,aGk=' })
  assert.equal(sent.status, 201)
  const { data: document, ...same } = sent.body
  assert.deepEqual(same, document)
  assert.equal(same.filename, 'a.txt')
})
