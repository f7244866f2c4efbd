import { daysAfter } from '../engine/day.ts'
import type { DemoCompany } from './company.ts'
import { type DemoPerson, isHere, managerOn, type Staff } from './people.ts'

const LEVELS = ['Learning', 'Proficient', 'A model for others'] as const

/** What is looked at, and how each level of it shows. */
const COMPETENCIES: readonly {
  name: string
  type: 'core' | 'functional' | 'leadership'
  description: string
  shows: readonly [string, string, string]
}[] = [
  {
    name: 'Working together',
    type: 'core',
    description: 'Brings others along and can be relied on.',
    shows: [
      'Does their part when asked',
      'Sees what others need, and says early what will be late',
      'Makes the whole team better',
    ],
  },
  {
    name: 'Clear words',
    type: 'core',
    description: 'Says and writes what is meant, so that others can act on it.',
    shows: [
      'Can be understood with some questions',
      'Is understood at the first reading',
      'Makes difficult things plain',
    ],
  },
  {
    name: 'Knowing the craft',
    type: 'functional',
    description: 'Knows the tools and methods of the job, and keeps learning.',
    shows: ['Solves known problems with help', 'Solves new problems alone', 'Is asked when nobody else knows'],
  },
  {
    name: 'Leading people',
    type: 'leadership',
    description: 'Gives direction, takes decisions and lets others grow.',
    shows: ['Leads a small task', 'Leads a team through a year', 'Leads leaders'],
  },
]

const QUESTIONS = [
  {
    type: 'scale',
    title: 'How well does this person work with others?',
    title_self: 'How well do you work with others?',
    competency: 'Working together',
    scale_min: 1,
    scale_max: 5,
  },
  {
    type: 'text',
    title: 'What should this person keep doing?',
    title_self: 'What do you want to keep doing?',
    title_manager: 'What should this person keep doing, and why does it matter to the team?',
  },
  {
    type: 'text',
    title: 'What should this person try next?',
    title_self: 'What do you want to try next?',
    required: false,
  },
  {
    type: 'choice',
    title: 'How was the half-year, measured by what was agreed?',
    options: ['Below what was agreed', 'As agreed', 'Above what was agreed'],
    participant_types: ['self', 'manager'],
  },
] as const

const KEEPS = [
  'Prepares meetings so that they end early and with a decision.',
  'Answers questions of newcomers with patience.',
  'Says early when something will be late, with a proposal.',
  'Looks after the details that others leave for later.',
  'Asks the customer before building anything.',
  'Writes down what was decided, where everybody finds it.',
  'Keeps calm when everything happens at once.',
]
const TRIES = [
  'Present our results to the other departments.',
  'Hand over the routine work and take on a project of their own.',
  'Say no more often, and say why.',
  'Lead the next planning.',
  'Spend a week with the support team.',
  'Ask for feedback in the middle of the work, not at its end.',
]

type DemoCycle = { starts_on: string; path: string; questions: number[]; reviews: Map<number, number> }

/** One cycle that is over and one that is under way. */
export function planReviews(company: DemoCompany, staff: Staff): void {
  const earlier = company.ago(240)
  company.on(daysAfter(earlier, -30), 9, async () => {
    for (const { shows, ...one } of COMPETENCIES)
      await company.add('/competencies', {
        ...one,
        levels: LEVELS.map((name, n) => ({ name, description: shows[n] })),
      })
  })

  const wereHere = staff.staying.filter((one) => isHere(one, daysAfter(earlier, -60)))
  const first = company.chance.some(wereHere, 45)
  const over = planCycle(company, 'Reviews of the first half-year', earlier, first)
  for (const person of first) {
    const peer = company.chance.of(wereHere.filter((one) => one !== person && one !== managerOn(person, earlier)))
    planPeer(company, over, person, peer, daysAfter(earlier, 1))
    const days = [3, 5, 8, 11].map((days) => daysAfter(earlier, days + company.chance.between(0, 4)))
    for (const [n, author] of [person, peer, managerOn(person, earlier)].entries())
      planAnswers(company, over, person, author, days[n] as string, n === 1 ? 3 : 4)
  }
  for (const [action, days] of [
    ['close', 22],
    ['finish', 27],
  ] as const)
    company.on(daysAfter(earlier, days), 17, () => company.send('POST', `${over.path}/${action}`))

  // Everybody is asked this time; some have answered, some have begun.
  const now = company.ago(9)
  const everybody = staff.staying.filter((one) => isHere(one, now))
  const open = planCycle(company, 'Reviews of the second half-year', now, everybody)
  for (const person of company.chance.some(everybody, 60))
    planAnswers(
      company,
      open,
      person,
      person,
      daysAfter(now, company.chance.between(2, 8)),
      4,
      company.chance.percent(80),
    )
  for (const person of company.chance.some(everybody, 20))
    planAnswers(company, open, person, managerOn(person, now), daysAfter(now, company.chance.between(3, 8)), 4)
}

/** A cycle of three weeks with its questions, opened for these people. */
function planCycle(company: DemoCompany, name: string, starts_on: string, people: readonly DemoPerson[]): DemoCycle {
  const cycle: DemoCycle = { starts_on, path: '', questions: [], reviews: new Map() }
  company.on(daysAfter(starts_on, -7), 10, async () => {
    const { id } = await company.add('/performance/review_cycles', {
      name,
      description: 'What went well, what is next, and how we work together.',
      starts_on,
      ends_on: daysAfter(starts_on, 21),
      deadline_on: daysAfter(starts_on, 28),
      review_period_starts_on: daysAfter(starts_on, -182),
      review_period_ends_on: daysAfter(starts_on, -1),
    })
    cycle.path = `/performance/review_cycles/${id}`
    for (const one of QUESTIONS) {
      const { competency, ...question } = { competency: null, ...one }
      const competency_id = competency && company.id('/competencies', competency)
      const made = await company.add<{ id: number }>(`${cycle.path}/questions`, { ...question, competency_id })
      cycle.questions.push(made.id)
    }
  })
  company.on(starts_on, 8, async () => {
    const { records } = await company.send('POST', `${cycle.path}/reviews/bulk`, {
      employee_ids: people.map(({ id }) => id),
    })
    for (const { employee_id, review_id } of records.data) cycle.reviews.set(employee_id, review_id)
    await company.send('POST', `${cycle.path}/open`)
  })
  return cycle
}

function planPeer(company: DemoCompany, cycle: DemoCycle, person: DemoPerson, peer: DemoPerson, day: string): void {
  company.on(day, 11, () =>
    company.add(`${cycle.path}/reviews/${cycle.reviews.get(person.id)}/review_participants`, {
      employee_id: peer.id,
      type: 'peer',
    }),
  )
}

/** What somebody answers about somebody; those who have no manager are answered for by nobody. */
function planAnswers(
  company: DemoCompany,
  cycle: DemoCycle,
  person: DemoPerson,
  author: DemoPerson | undefined,
  day: string,
  asked: number,
  submit = true,
): void {
  const { chance } = company
  const [rating, keeps, tries] = [chance.between(2, 5), chance.of(KEEPS), chance.of(TRIES)]
  const option = QUESTIONS[3].options[chance.of([0, 1, 1, 1, 2, 2])]
  if (!author || !isHere(author, day)) return
  const given = [{ rating, comment: '' }, { text: keeps }, { text: tries }, { option }].slice(0, asked)
  const worked = company.workday(author.place, day, -1)
  const on = worked > daysAfter(cycle.starts_on, 1) ? worked : day
  company.on(on, chance.between(9, 16), () =>
    company.send(
      'PUT',
      `${cycle.path}/reviews/${cycle.reviews.get(person.id)}/answers`,
      { answers: given.map((one, n) => ({ review_question_id: cycle.questions[n], ...one })), submit },
      author,
    ),
  )
}
