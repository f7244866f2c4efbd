import type { CareerLevel } from './organisation.ts'

/** Whom the company looks for, and what is said about those who apply. */

export type DemoVacancy = {
  title: string
  unit: string
  position: string
  level: CareerLevel
  city: string
  positions: number
  /** Days from today on which those who were found begin: in the past or still to come. */
  begins: number[]
  /** How many days ago it was opened; null while it is being written. */
  opened: number | null
  heldSince?: number
  priority: 'low' | 'medium' | 'high'
  work: string
  skills: string[]
}

export const VACANCIES: readonly DemoVacancy[] = [
  {
    title: 'Backend engineer',
    unit: 'Payments',
    position: 'Software engineer',
    level: 'Professional',
    city: 'Berlin',
    positions: 3,
    begins: [-34],
    opened: 160,
    priority: 'high',
    work: 'You build the services that move money, and you know why they may never do it twice.',
    skills: ['TypeScript', 'PostgreSQL', 'Payments'],
  },
  {
    title: 'Frontend engineer',
    unit: 'Web',
    position: 'Software engineer',
    level: 'Senior',
    city: 'Paris',
    positions: 2,
    begins: [12],
    opened: 140,
    priority: 'medium',
    work: 'You make a shop that is fast on an old phone, and you can explain how you measured it.',
    skills: ['TypeScript', 'CSS', 'Accessibility'],
  },
  {
    title: 'Data analyst',
    unit: 'Data',
    position: 'Data analyst',
    level: 'Professional',
    city: 'Berlin',
    positions: 1,
    begins: [],
    opened: 45,
    priority: 'medium',
    work: 'You turn orders and clicks into answers that people can act on.',
    skills: ['SQL', 'Python', 'Statistics'],
  },
  {
    title: 'Product designer',
    unit: 'Design',
    position: 'Product designer',
    level: 'Senior',
    city: 'Berlin',
    positions: 1,
    begins: [-20],
    opened: 150,
    priority: 'medium',
    work: 'You design what shop owners see every morning, together with those who build it.',
    skills: ['Figma', 'Prototyping', 'User interviews'],
  },
  {
    title: 'Account manager',
    unit: 'Inside sales',
    position: 'Account manager',
    level: 'Professional',
    city: 'London',
    positions: 2,
    begins: [-27],
    opened: 145,
    priority: 'high',
    work: 'You look after forty customers in the north and know most of them by name.',
    skills: ['Negotiation', 'CRM', 'German'],
  },
  {
    title: 'Recruiter',
    unit: 'People',
    position: 'Recruiter',
    level: 'Professional',
    city: 'New York',
    positions: 1,
    begins: [],
    opened: 38,
    priority: 'low',
    work: 'You find people for our American office and stay in touch with them until they have settled in.',
    skills: ['Interviewing', 'Sourcing'],
  },
  {
    title: 'Accountant',
    unit: 'Finance',
    position: 'Accountant',
    level: 'Professional',
    city: 'Paris',
    positions: 1,
    begins: [19],
    opened: 130,
    priority: 'medium',
    work: 'You keep the books of our French company and help to close the month in a week.',
    skills: ['French GAAP', 'Excel', 'VAT'],
  },
  {
    title: 'Support agent',
    unit: 'First line',
    position: 'Support agent',
    level: 'Junior',
    city: 'New York',
    positions: 3,
    begins: [-26, 8],
    opened: 155,
    priority: 'high',
    work: 'You are the first person customers talk to, and often the only one they need.',
    skills: ['Writing', 'Patience', 'Spanish'],
  },
  {
    title: 'Site reliability engineer',
    unit: 'Platform',
    position: 'Site reliability engineer',
    level: 'Senior',
    city: 'London',
    positions: 1,
    begins: [],
    opened: 90,
    heldSince: 12,
    priority: 'low',
    work: 'You make sure that nobody notices our releases, and share the on-call week with five others.',
    skills: ['Kubernetes', 'Go', 'Observability'],
  },
  {
    title: 'Content writer',
    unit: 'Content',
    position: 'Content writer',
    level: 'Junior',
    city: 'London',
    positions: 1,
    begins: [],
    opened: 30,
    priority: 'low',
    work: 'You write what shop owners read when they have a question and ten minutes.',
    skills: ['Writing', 'Editing', 'Search engines'],
  },
  {
    title: 'Product manager',
    unit: 'Product',
    position: 'Product manager',
    level: 'Senior',
    city: 'London',
    positions: 1,
    begins: [27],
    opened: 135,
    priority: 'high',
    work: 'You decide with customers, design and engineering what the mobile app does next, and what it never will.',
    skills: ['Roadmaps', 'User interviews', 'Analytics'],
  },
  {
    title: 'Working student in content',
    unit: 'Content',
    position: 'Video producer',
    level: 'Junior',
    city: 'Berlin',
    positions: 1,
    begins: [],
    opened: null,
    priority: 'low',
    work: 'Next to your studies you film and cut what our writers have written.',
    skills: ['Video', 'Editing'],
  },
]

export const STAGES = ['Applied', 'Screening', 'Interview', 'Offer', 'Hired']
export const SOURCES = ['Careers site', 'Referral', 'Agency']

/** Why somebody is not taken, by the stage in which that is found. */
export const REASONS: Record<string, readonly (readonly [string, string])[]> = {
  Applied: [
    ['Not enough experience', 'Interesting, but we need somebody who has done this before.'],
    ['Salary expectations', 'Expects more than the range of the position allows.'],
  ],
  Screening: [
    ['Not enough experience', 'Has worked next to the topic rather than in it.'],
    ['Withdrew', 'Has accepted another offer.'],
  ],
  Interview: [
    ['Other candidate', 'Good conversation; another candidate fits the team better at the moment.'],
    ['Withdrew', 'Prefers to stay where they are.'],
  ],
  Offer: [['Withdrew', 'Declined the offer for family reasons.']],
}

export const NOTES: Record<string, string[]> = {
  Applied: [
    'Careful application, came with a letter that mentions our product. Worth a call.',
    'Referred by a colleague from Sales. Call this week.',
  ],
  Screening: [
    'Half an hour on the phone: clear about what they want, can start after the notice period, salary fits.',
    'Good questions about the team. A little nervous, which went away when we talked about the work itself.',
    'Knows our product as a user. English is fluent; wants to work from the office two days a week.',
  ],
  Interview: [
    'Solved the exercise quickly and explained every step. Two of three interviewers say yes.',
    'Strong in the subject, less so in working with others. Ask for a second talk with the lead.',
    'Calm, precise, honest about what they have not done yet. All three of us would like to work with them.',
  ],
  Offer: ['Offer sent; wants to talk about it at home and answers by Friday.'],
}

export const LETTERS = [
  'For three years I have done much the same at a smaller company, and I would like to do it where more people depend on it.',
  'A friend of mine works in your Berlin office and speaks so well of it that I looked at your vacancies.',
  'I use your shop system every week and have a list of small things that I would like to improve.',
]
