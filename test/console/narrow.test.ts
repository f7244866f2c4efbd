import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { screens } from '../../console/screens.ts'
import { isLong } from '../thorough.ts'
import { type Console, startConsole } from './browser.ts'

const NARROW = { width: 360, height: 740 }

let at: Console
let ids: Record<'person' | 'vacancy' | 'candidate', number>
before(async () => {
  at = await startConsole()
  const { service } = at
  const position = await service.make('/positions', { name: 'Principal engineer of the laboratory' })
  const person = (
    await service.hire({
      first_name: 'Maximiliane',
      last_name: 'Oberhuber-Schwarzenberger',
      email: 'maximiliane.oberhuber-schwarzenberger@example.com',
      position_id: position.id,
    })
  ).id
  await service.make('/employee_tables', { name: 'Equipment', columns: [{ name: 'Size', type: 'text' }] })
  const pipeline = await service.make('/recruitment/pipelines', {
    name: 'Standard',
    stages: [{ name: 'Applied' }, { name: 'Interview' }, { name: 'Hired', type: 'hired' }],
  })
  const vacancy = await service.make('/recruitment/vacancies', {
    title: 'Engineer',
    description: '<p>Build</p>',
    state: 'opened',
    department_id: (await service.make('/departments', { name: 'Engineering' })).id,
    location_id: (await service.make('/locations', { name: 'Berlin' })).id,
    employment_type_id: (await service.make('/employment_types', { name: 'Full-time' })).id,
    recruitment_pipeline_id: pipeline.id,
    hiring_lead_user_id: person,
  })
  const candidate = await service.make('/recruitment/candidates', { full_name: 'Grace Hopper', position: 'Engineer' })
  await service.make(`/recruitment/vacancies/${vacancy.id}/applications`, { candidate_id: candidate.id })
  ids = { person, vacancy: vacancy.id, candidate: candidate.id }
})
after(() => at.stop())

/** Every address of `screens.ts`; with the parts that stand below some of them, unless this is the gate. */
function addresses(): string[] {
  const PARTS: Record<string, string[]> = {
    '/people/:id': ['job', 'documents', 'skills', 'leave', 'assets', 'family', 'tables', 'notes', 'history'].map(
      (tab) => `/people/${ids.person}?tab=${tab}`,
    ),
    '/leave/:part': ['/leave/calendar', '/leave/approvals'],
    '/time/:part': ['/time/team'],
    '/performance/*': ['/performance/objectives', '/performance/reviews'],
    '/settings/*': ['company', 'users', 'roles', 'api_keys', 'audits', 'reads', 'erasure', 'departments'].map(
      (part) => `/settings/${part}`,
    ),
  }
  return screens
    .filter(({ isPublic }) => !isPublic)
    .flatMap(({ path }) => {
      const kind = path.startsWith('/people') ? 'person' : path.startsWith('/hiring') ? 'vacancy' : 'candidate'
      const own = /:part|\*/.test(path) ? [] : [path.replace(':id', String(ids[kind]))]
      return [...own, ...(PARTS[path] ?? [])].slice(0, isLong ? undefined : 1)
    })
}

test('on the narrowest phone in German no page scrolls sideways or cuts a button, and dark mode is readable', async () => {
  const page = await at.open('/', { size: NARROW, scheme: 'dark', locale: 'de-DE', employee_id: ids.person })
  const wrong: string[] = []
  for (const [turn, address] of addresses().entries()) {
    page.forgetQuestions()
    await page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, address)
    await page.waitForFunction(
      () => document.querySelector('main h1') && !document.querySelector('main .mantine-Skeleton-root'),
    )
    wrong.push(
      ...(await page.evaluate((address) => {
        const cut = [...document.querySelectorAll<HTMLElement>('main .mantine-Button-label')].filter(
          ({ clientWidth, scrollWidth }) => scrollWidth > clientWidth + 1,
        )
        const { scrollWidth } = document.documentElement
        return [
          ...(scrollWidth > 360 ? [`${address} is ${scrollWidth} wide`] : []),
          ...cut.map(({ textContent }) => `${address} cuts ${textContent}`),
        ]
      }, address)),
    )
    // All pages take their colours from one theme: the gate reads those of every third.
    if (isLong || turn % 3 === 0) await page.contrast().catch((error) => wrong.push(`${address}: ${error.message}`))
  }
  assert.deepEqual(wrong, [])
  await page.done()
})
