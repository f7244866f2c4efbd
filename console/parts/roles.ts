import { texts, useTexts } from '../texts/i18n.ts'

/** Ready-made roles are called by their own names in each language, for as long as nobody has called them otherwise. */

const roleTexts = texts({
  en: {
    owner: 'Owner',
    ownerText: 'Does and sees everything, and says who else may.',
    hr: 'HR',
    hrText: 'Looks after all people and all that is known of them.',
    payroll: 'Payroll',
    payrollText: 'Reads what pay is made from: people, pay, time and leave.',
    recruiter: 'Recruiter',
    recruiterText: 'Fills all vacancies.',
    hiring_manager: 'Hiring manager',
    hiring_managerText: 'Sees and moves the candidates of the vacancies that they lead or work on.',
    manager: 'Manager',
    managerText: 'Looks after all who report to them, at any depth, without seeing their pay.',
    employee: 'Employee',
    employeeText: 'Sees who works here, and all of their own.',
  },
  de: {
    owner: 'Inhaber',
    ownerText: 'Darf und sieht alles und bestimmt, wer sonst etwas darf.',
    hr: 'Personalabteilung',
    hrText: 'Kümmert sich um alle Personen und alles, was über sie bekannt ist.',
    payroll: 'Lohnbuchhaltung',
    payrollText: 'Liest, woraus der Lohn entsteht: Personen, Vergütung, Zeiten und Abwesenheiten.',
    recruiter: 'Recruiter',
    recruiterText: 'Besetzt alle Stellen.',
    hiring_manager: 'Stellenverantwortliche',
    hiring_managerText: 'Sieht und bewegt die Bewerbungen auf Stellen, die sie leiten oder an denen sie mitwirken.',
    manager: 'Führungskraft',
    managerText: 'Kümmert sich um alle, die ihr auf jeder Ebene unterstellt sind, ohne deren Vergütung zu sehen.',
    employee: 'Mitarbeitende',
    employeeText: 'Sieht, wer hier arbeitet, und alles Eigene.',
  },
  uk: {
    owner: 'Власник',
    ownerText: 'Може й бачить усе та визначає, хто ще що може.',
    hr: 'Відділ кадрів',
    hrText: 'Дбає про всіх людей і все, що про них відомо.',
    payroll: 'Розрахунок зарплати',
    payrollText: 'Читає те, з чого складається зарплата: людей, оплату, час і відсутності.',
    recruiter: 'Рекрутер',
    recruiterText: 'Заповнює всі вакансії.',
    hiring_manager: 'Відповідальний за вакансію',
    hiring_managerText: 'Бачить і переміщує кандидатів на вакансії, які веде або в яких бере участь.',
    manager: 'Керівник',
    managerText: 'Дбає про всіх підлеглих на будь-якому рівні, не бачачи їхньої оплати.',
    employee: 'Працівник',
    employeeText: 'Бачить, хто тут працює, і все своє.',
  },
})

type Named = { name: string; standard?: string | null; description?: string | null }

export function useRoleName() {
  const t = useTexts(roleTexts) as (key: string) => string
  const english = roleTexts.en as Readonly<Record<string, string>>
  const said = (key: string, given: string) => (english[key] === given ? t(key) : given)
  return {
    nameOf: ({ name, standard }: Named) => said(standard ?? '', name),
    textOf: ({ description, standard }: Named) => said(`${standard}Text`, description ?? ''),
  }
}
