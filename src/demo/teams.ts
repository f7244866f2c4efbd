import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { isHere, type Staff } from './people.ts'

const TEAMS = [
  ['Green office', 'Makes our four offices use less: energy, paper, travel.'],
  ['Security champions', 'One engineer of each squad who looks after its security.'],
  ['Data guild', 'Shares how we measure, model and show figures.'],
  ['Accessibility', 'Tests what we build with screen readers and keyboards.'],
  ['Book club', 'Reads a book in two months and talks about it over lunch.'],
  ['First aiders', 'Know what to do until the ambulance comes.'],
] as const

type CreatedTeam = { id: number; team_members: { id: number; user: { id: number } }[] }

/** Teams across departments; who leaves the company leaves them. */
export function planTeams(company: DemoCompany, staff: Staff): void {
  for (const [n, [name, description]] of TEAMS.entries()) {
    const day = company.ago(430 - n * 40)
    const lead = company.chance.of(staff.staying.filter((one) => isHere(one, daysAfter(day, -60))))
    const members = company.chance.some(
      staff.people.filter((one) => one !== lead && isHere(one, day)),
      7 + n,
    )
    company.on(day, 10, async () => {
      const body = { name, description, team_lead_id: lead.id, user_ids: members.map(({ id }) => id) }
      const team = await company.add<CreatedTeam>('/teams', body, lead)
      for (const { id, user } of team.team_members) {
        const leave = () => company.send('DELETE', `/teams/${team.id}/team_members/${id}`)
        members.find((one) => one.id === user.id)?.farewell.push(leave)
      }
    })
  }
}
