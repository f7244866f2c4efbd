import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { areaOf } from './organisation.ts'
import { type DemoPerson, isHere, jobOn, type Staff } from './people.ts'
import type { DemoLocation } from './places.ts'

/** What the company lends to its people, and what became of it. */

const KINDS = {
  Laptops: { icon: 'fas fa-laptop', code: 'LT', models: ['Laptop, 14 inches', 'Laptop, 16 inches'] },
  Phones: { icon: 'far fa-mobile', code: 'PH', models: ['Phone, 128 GB'] },
  Screens: { icon: 'fas fa-desktop', code: 'SC', models: ['Screen, 27 inches', 'Screen, 32 inches'] },
} as const

type AssetKind = keyof typeof KINDS
type Asset = { id: number; kind: AssetKind; place: DemoLocation; boughtOn: string; freeFrom: string | null }
type AssetNeed = { day: string; kind: AssetKind; person: DemoPerson }

/** Laptops are used for three years. */
const LASTS = 1095

/** What is lost by the so-manieth person, how long after it was issued, and after how many days it is found. */
const LOSSES: Record<number, { kind: AssetKind; after: number; note: string; found?: number }> = {
  0: { kind: 'Laptops', after: 210, note: 'Left in a taxi; the driver brought it to the office.', found: 3 },
  40: { kind: 'Laptops', after: 90, note: 'Stolen on the train; the police know of it.' },
  80: { kind: 'Screens', after: 60, note: 'Not there any more after the move of the office.' },
  120: { kind: 'Laptops', after: 50, note: 'Was in the wrong meeting room.', found: 8 },
}

export function planAssets(company: DemoCompany, staff: Staff, founded: string): void {
  company.on(founded, 8, async () => {
    for (const [name, { icon }] of Object.entries(KINDS)) await company.add('/asset_categories', { name, icon })
  })
  const here = staff.people.filter(({ hiredOn }) => hiredOn < company.today)
  const wishes = here.flatMap((person) => wishesOf(company, person))
  const stock: Asset[] = []
  // What comes back or gets lost makes for further wishes.
  while (wishes.length > 0) {
    wishes.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.person.n - b.person.n))
    wishes.push(...issue(company, staff, stock, wishes.shift() as AssetNeed))
  }
}

/** Everybody gets a laptop; a phone who leads or talks to customers; most a screen. */
function wishesOf({ chance }: DemoCompany, person: DemoPerson): AssetNeed[] {
  const { hiredOn: day, unit, n } = person
  const needsPhone = jobOn(person, day).isHead || (areaOf(unit) === 'Commerce' && chance.percent(60))
  const needsScreen = LOSSES[n]?.kind === 'Screens' || chance.percent(70)
  const kinds: AssetKind[] = [
    'Laptops',
    ...(needsPhone ? ['Phones' as const] : []),
    ...(needsScreen ? ['Screens' as const] : []),
  ]
  return kinds.map((kind) => ({ day, kind, person }))
}

/** Issues what is in stock or is bought for it, and plans how long they have it. */
function issue(company: DemoCompany, staff: Staff, stock: Asset[], { day, kind, person }: AssetNeed): AssetNeed[] {
  const { today } = company
  const { place, leaving, n } = person
  const isUsable = (one: Asset) => kind !== 'Laptops' || daysAfter(one.boughtOn, LASTS - 180) > day
  const spare = stock.find(
    (one) => one.kind === kind && one.place === place && one.freeFrom !== null && one.freeFrom <= day && isUsable(one),
  )
  const asset = spare ?? { id: 0, kind, place, boughtOn: day, freeFrom: null }
  const number = 1 + stock.filter((one) => one.kind === kind).length
  if (!spare) stock.push(asset)
  asset.freeFrom = null
  let assignment = 0
  company.on(day, 10, async () => {
    if (!spare) asset.id = (await company.add('/assets', bodyOf(company, asset, number))).id
    const body = { asset_id: asset.id, user_id: person.id, issued_on: day }
    assignment = (await company.add('/asset_assignments', body)).id
  })

  const loss = LOSSES[n]?.kind === kind && day === person.hiredOn ? LOSSES[n] : undefined
  const lostOn = loss && company.workday(place, daysAfter(day, loss.after))
  if (loss && lostOn && lostOn < company.ago(30) && isHere(person, daysAfter(lostOn, 30))) {
    const again = company.workday(place, daysAfter(lostOn, loss.found ?? 2))
    let id = 0
    company.on(lostOn, 17, async () => {
      id = (await company.add(`/assets/${asset.id}/losses`, { lost_on: lostOn, note: loss.note })).id
    })
    if (loss.found) {
      company.on(again, 9, () => company.send('PUT', `/assets/${asset.id}/losses/${id}`, { found_on: again }))
      asset.freeFrom = again
    }
    return [{ day: again, kind, person }]
  }

  const wornOn = company.workday(place, daysAfter(asset.boughtOn, LASTS))
  const lastDay = leaving && company.workday(place, daysAfter(leaving.on, -1), -1)
  const isWorn = kind === 'Laptops' && wornOn < today && (!lastDay || wornOn < lastDay)
  const until = isWorn ? wornOn : lastDay
  // One who has left has not brought the phone yet.
  const isKept = !isWorn && kind === 'Phones' && person === lastLeaver(staff, today)
  if (!until || until >= today || isKept) return []
  company.on(until, 9, async () => {
    await company.send('POST', `/asset_assignments/${assignment}/return`, {})
    if (isWorn) await company.send('PUT', `/assets/${asset.id}`, { retired_on: until })
  })
  if (isWorn) return [{ day: until, kind, person }]
  asset.freeFrom = daysAfter(until, 3)
  return []
}

/** Who has left last of those who lead. */
const lastLeaver = ({ people }: Staff, today: string) =>
  people
    .filter(({ leaving, jobs }) => leaving && leaving.on < today && jobs[0]?.isHead)
    .sort((a, b) => ((a.leaving?.on ?? '') < (b.leaving?.on ?? '') ? 1 : -1))[0]

function bodyOf(company: DemoCompany, { kind, place }: Asset, number: number) {
  const { code, models } = KINDS[kind]
  return {
    name: models[number % models.length],
    code: `${code}-${String(number).padStart(4, '0')}`,
    serial_number: `${code}${String((number * 7_919 + 104_729) % 999_983).padStart(6, '0')}`,
    asset_category_id: company.id('/asset_categories', kind),
    location_id: company.id('/locations', place.city),
  }
}
