import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { type DemoPerson, isHere, type Staff } from './people.ts'
import type { DemoLocation } from './places.ts'

/** Tables of the company's own: what to order for people, and what its doctor and its lawyers want to know. */

type DemoTable = { name: string; group: string; description: string; protection?: string; columns: object[] }

const SIZES: DemoTable = {
  name: 'Equipment sizes',
  group: 'Office',
  description: 'What to order before somebody begins.',
  columns: [
    { name: 'Jacket', type: 'single_select', options: ['S', 'M', 'L', 'XL'] },
    { name: 'Shoe size', type: 'number' },
    { name: 'Keyboard', type: 'single_select', options: ['German', 'French', 'British', 'American'] },
    { name: 'Safety shoes', type: 'boolean' },
  ],
}

const VACCINATIONS: DemoTable = {
  name: 'Vaccinations',
  group: 'Private',
  description: 'Given by the company’s doctor, to those who want them.',
  protection: 'personal',
  columns: [
    { name: 'Against', type: 'multi_select', options: ['Influenza', 'Tetanus', 'Diphtheria', 'Hepatitis A'] },
    { name: 'Given on', type: 'date' },
    { name: 'Due again on', type: 'date' },
  ],
}

const PERMITS: DemoTable = {
  name: 'Work permits',
  group: 'Private',
  description: 'Of those who need one where they work.',
  protection: 'personal',
  columns: [
    { name: 'Kind', type: 'single_select', options: ['Residence permit', 'Work visa', 'Seasonal permit'] },
    { name: 'Number', type: 'text' },
    { name: 'Valid until', type: 'date' },
    { name: 'Checked by', type: 'employee' },
  ],
}

const KEYBOARDS: Record<string, string> = { DE: 'German', FR: 'French', GB: 'British', US: 'American' }

const isDriving = ({ jobs }: DemoPerson) => /sales representative|office manager/i.test(jobs[0]?.position ?? '')

export function planTables(company: DemoCompany, staff: Staff, founded: string): void {
  company.on(founded, 6, async () => {
    for (const { group, columns, ...table } of [SIZES, VACCINATIONS, PERMITS]) {
      const group_id = company.id('/employee_field_groups', group)
      const { id } = await company.add('/employee_tables', { ...table, group_id })
      for (const column of columns) await company.add(`/employee_tables/${id}/columns`, column)
    }
  })
  for (const person of staff.people) {
    if (person.hiredOn >= company.today) continue
    if (person.n % 4 !== 3) planSizes(company, person)
    if (person.n % 3 === 0) planVaccinations(company, person)
    if (person.n % 12 === 0) planPermit(company, staff, person)
  }
}

const row = (company: DemoCompany, { id }: DemoPerson, { name }: DemoTable, cells: object) =>
  company.send('POST', `/employees/${id}/tables/${company.id('/employee_tables', name)}/rows`, cells)

function planSizes(company: DemoCompany, person: DemoPerson): void {
  const { n, place, gender, hiredOn } = person
  const cells = {
    jacket: ['S', 'M', 'L', 'XL'][n % 4],
    shoe_size: (gender === 'female' ? 36 : 40) + ((n * 7) % 12) / 2,
    keyboard: KEYBOARDS[place.code],
    safety_shoes: isDriving(person),
  }
  company.on(hiredOn, 9.5, () => row(company, person, SIZES, cells))
}

/** The doctor comes in autumn; who is here then and wants it, gets it. */
function planVaccinations(company: DemoCompany, person: DemoPerson): void {
  const { n, place, hiredOn } = person
  const last = Number(company.today.slice(0, 4))
  for (let year = Number(hiredOn.slice(0, 4)); year <= last; year++) {
    const day = company.workday(place, `${year}-10-${String(8 + (n % 10)).padStart(2, '0')}`)
    if (day >= company.today || !isHere(person, day)) continue
    const cells = { against: ['Influenza'], given_on: day, due_again_on: daysAfter(day, 365) }
    company.on(day, 11, () => row(company, person, VACCINATIONS, cells))
  }
  if (n % 6 !== 0) return
  // What is for many years was given before they came.
  const day = daysAfter(hiredOn, -100 - n)
  const cells = { against: ['Tetanus', 'Diphtheria'], given_on: day, due_again_on: daysAfter(day, 3652) }
  company.on(hiredOn, 9.6, () => row(company, person, VACCINATIONS, cells))
}

const numberOf = ({ code }: DemoLocation, n: number) => `${code}-${String(4_711_000 + n * 313)}`

function planPermit(company: DemoCompany, staff: Staff, person: DemoPerson): void {
  const { n, place, hiredOn } = person
  const head = staff.headOf('People')
  company.on(hiredOn, 9.7, () =>
    row(company, person, PERMITS, {
      kind: n % 24 === 0 ? 'Residence permit' : 'Work visa',
      number: numberOf(place, n),
      valid_until: daysAfter(hiredOn, 1461 + n),
      checked_by: isHere(head, hiredOn) && head.hiredOn < hiredOn ? head.id : null,
    }),
  )
}
