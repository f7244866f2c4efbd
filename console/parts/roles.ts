import { texts, useTexts } from '../texts/i18n.ts'

/** Built-in roles have translated names until somebody renames them. */

const roleTexts = texts({
  en: {
    owner: 'Owner',
    ownerText: 'Full access, including roles and permissions of others.',
    hr: 'HR',
    hrText: 'Manages all employees and all of their data.',
    payroll: 'Payroll',
    payrollText: 'Sees the data that payroll needs: employees, compensation, time and leave.',
    recruiter: 'Recruiter',
    recruiterText: 'Manages all vacancies and candidates.',
    hiring_manager: 'Hiring manager',
    hiring_managerText:
      'Sees and moves candidates of the vacancies that they lead or where they are on the hiring team.',
    manager: 'Manager',
    managerText: 'Manages direct and indirect reports, without seeing their compensation.',
    employee: 'Employee',
    employeeText: 'Sees the directory and their own data.',
  },
  de: {
    owner: 'Inhaber:in',
    ownerText: 'Voller Zugriff, einschließlich der Rollen und Berechtigungen anderer.',
    hr: 'Personalabteilung',
    hrText: 'Verwaltet alle Mitarbeitenden und alle ihre Daten.',
    payroll: 'Lohnbuchhaltung',
    payrollText: 'Sieht die Daten für die Lohnabrechnung: Mitarbeitende, Vergütung, Arbeitszeiten und Abwesenheiten.',
    recruiter: 'Recruiter',
    recruiterText: 'Verwaltet alle Ausschreibungen und Kandidat:innen.',
    hiring_manager: 'Hiring Manager',
    hiring_managerText:
      'Sieht und verschiebt Kandidat:innen der Ausschreibungen, die sie leiten oder zu deren Recruiting-Team sie gehören.',
    manager: 'Führungskraft',
    managerText: 'Verwaltet direkt und indirekt unterstellte Personen, sieht aber nicht deren Vergütung.',
    employee: 'Mitarbeitende',
    employeeText: 'Sieht das Verzeichnis und die eigenen Daten.',
  },
  uk: {
    owner: 'Власник',
    ownerText: 'Повний доступ, зокрема до ролей і дозволів інших.',
    hr: 'Відділ кадрів',
    hrText: 'Керує даними всіх працівників.',
    payroll: 'Розрахунок зарплати',
    payrollText: 'Бачить дані для розрахунку зарплати: працівників, оплату праці, робочий час і відсутності.',
    recruiter: 'Рекрутер',
    recruiterText: 'Керує всіма вакансіями й кандидатами.',
    hiring_manager: 'Відповідальний за вакансію',
    hiring_managerText: 'Бачить і переміщує кандидатів на вакансії, які веде або де входить до команди найму.',
    manager: 'Керівник',
    managerText: 'Керує даними прямих і непрямих підлеглих, але не бачить їхньої оплати праці.',
    employee: 'Працівник',
    employeeText: 'Бачить довідник і власні дані.',
  },
})

type RoleLabel = { name: string; standard?: string | null; description?: string | null }

export function useRoleName() {
  const t = useTexts(roleTexts) as (key: string) => string
  const english = roleTexts.en as Readonly<Record<string, string>>
  const isOurs = (key: string, text: string) => english[key] === text || FORMER[key] === text
  const translated = (key: string, text: string) => (isOurs(key, text) ? t(key) : text)
  return {
    nameOf: ({ name, standard }: RoleLabel) => translated(standard ?? '', name),
    textOf: ({ description, standard }: RoleLabel) => translated(`${standard}Text`, description ?? ''),
  }
}

/** Stored descriptions in accounts that were created before version 0.6.0. */
const FORMER: Readonly<Record<string, string>> = {
  ownerText: 'Does and sees everything, and says who else may.',
  hrText: 'Looks after all people and all that is known of them.',
  payrollText: 'Reads what pay is made from: people, pay, time and leave.',
  recruiterText: 'Fills all vacancies.',
  hiring_managerText: 'Sees and moves the candidates of the vacancies that they lead or work on.',
  managerText: 'Looks after all who report to them, at any depth, without seeing their pay.',
  employeeText: 'Sees who works here, and all of their own.',
}
