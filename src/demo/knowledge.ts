import type { DemoCompany } from './company.ts'
import type { Staff } from './people.ts'

type Article = readonly [title: string, html: string, state?: 'draft']
type Category = { name: string; emoji: string; hex_color: string; description: string; by: string; articles: Article[] }

/** What people ask most often, and whose department answers. */
const CATEGORIES: Category[] = [
  {
    name: 'First days',
    emoji: '👋',
    hex_color: '#1565c0',
    description: 'For those who have just come, and those who welcome them.',
    by: 'People',
    articles: [
      [
        'Your first week',
        '<p>On the first morning the reception has your <b>badge, keys and laptop</b>. Your manager has a plan for the week.</p><ul><li>Monday: accounts, a tour of the office, lunch with the team</li><li>Tuesday to Thursday: people who introduce their work</li><li>Friday: a first small task, and a talk about how it went</li></ul>',
      ],
      [
        'How probation works',
        '<p>The first half-year is a probation period. There are two talks in it: after <b>six weeks</b> and after <b>four months</b>. Nothing that is said in the last talk should be new to you.</p>',
      ],
      [
        'Who to ask',
        '<p>Pay and contract: People. Laptop and accounts: the service desk. Anything about the office: the reception. If you do not know, ask your manager; they do not know either, but they know who does.</p>',
      ],
    ],
  },
  {
    name: 'Time off',
    emoji: '🌴',
    hex_color: '#2e7d32',
    description: 'Vacation, illness and everything else that keeps you away.',
    by: 'People',
    articles: [
      [
        'Asking for vacation',
        '<p>Ask <b>at least two weeks</b> before; for more than two weeks at a time, two months before. Your manager decides within three working days.</p><p>What is left at the end of the year goes into the next one, up to the limit of your policy.</p>',
      ],
      [
        'When you are ill',
        '<p>Tell your manager before ten o’clock. From the third day on we need a note from a doctor. Please do not work a little from bed: be ill, then be well.</p>',
      ],
      [
        'Parental leave',
        '<p>Talk to People as soon as you like, and at the latest seven weeks before. We go through dates, money and your return together.</p>',
      ],
    ],
  },
  {
    name: 'Equipment',
    emoji: '💻',
    hex_color: '#6a1b9a',
    description: 'What the company lends you, and what to do when it is gone.',
    by: 'Workplace',
    articles: [
      [
        'Lost or stolen: what to do',
        '<p><b>Call the service desk at once</b>, at any hour: they lock the device. Then tell your manager. If it was stolen, go to the police the same day; we need the number of the report.</p>',
      ],
      [
        'A new laptop',
        '<p>Laptops are exchanged after three years. You get a message two weeks before. Bring the old one on the same day: its disk is wiped in front of you.</p>',
      ],
    ],
  },
  {
    name: 'Money and travel',
    emoji: '🧾',
    hex_color: '#ef6c00',
    description: 'Salaries, expenses and trips.',
    by: 'Finance',
    articles: [
      [
        'Travel expenses',
        '<p>Hand them in by the <b>fifth of the next month</b>, with a receipt for each. Trains before planes wherever the trip takes less than six hours.</p>',
      ],
      [
        'How salaries are reviewed',
        '<p>Every April, for all who have been here for half a year. The bands of all levels are in the handbook; your manager tells you where in the band you are, and why.</p>',
      ],
      ['Company cards', '<p>Who gets one, and for what. <i>To be agreed with Finance.</i></p>', 'draft'],
    ],
  },
]

export function planKnowledge(company: DemoCompany, staff: Staff): void {
  for (const [n, { by, articles, ...category }] of CATEGORIES.entries()) {
    const author = staff.headOf(by)
    company.on(company.ago(330 - n * 25), 14, () => company.add('/knowledge_base/categories', category, author))
    for (const [m, [title, body_html, state = 'published']] of articles.entries())
      company.on(company.ago(328 - n * 25 - m * 6), 15, () => {
        const path = `/knowledge_base/categories/${company.id('/knowledge_base/categories', category.name)}/articles`
        return company.add(path, { title, body_html, state }, author)
      })
  }
}
