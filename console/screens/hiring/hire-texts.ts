import { texts } from '../../texts/i18n.ts'

export const hireTexts = texts({
  en: {
    hireTitle: 'Hire {name}',
    hireEmail: 'Work e-mail',
    hireText:
      'Creates an employee record with the job details of the vacancy “{vacancy}”. The candidate’s personal e-mail address and phone number stay private.',
    hireFirstDay: 'First day of work',
    hireEmailText: 'Visible to everybody in the company. You can add it later.',
    hireSalaryText: 'You can add it later.',
    hireDo: 'Hire',
    hireDone: '{name} hired',
  },
  de: {
    hireTitle: '{name} einstellen',
    hireEmail: 'Dienstliche E-Mail',
    hireText:
      'Legt eine Personalakte mit den Angaben der Ausschreibung „{vacancy}“ an. Private E-Mail-Adresse und Telefonnummer bleiben privat.',
    hireFirstDay: 'Erster Arbeitstag',
    hireEmailText: 'Für alle im Unternehmen sichtbar. Sie können sie später ergänzen.',
    hireSalaryText: 'Sie können es später ergänzen.',
    hireDo: 'Einstellen',
    hireDone: '{name} eingestellt',
  },
  uk: {
    hireTitle: 'Найняти: {name}',
    hireEmail: 'Робоча пошта',
    hireText:
      'Створює картку працівника з посадою з вакансії «{vacancy}». Особиста електронна адреса й телефон кандидата лишаються приватними.',
    hireFirstDay: 'Перший робочий день',
    hireEmailText: 'Її бачать усі в компанії. Можна додати пізніше.',
    hireSalaryText: 'Можна додати пізніше.',
    hireDo: 'Найняти',
    hireDone: 'Найнято: {name}',
  },
})
