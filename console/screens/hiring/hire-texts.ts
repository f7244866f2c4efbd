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
    rehireTitle: 'Rehire {name}',
    rehireText:
      'Starts a new employment with the job details of the vacancy “{vacancy}”. The former employment stays in the profile. Leave starts again at 0.',
    rehireEmailText: 'Leave empty to keep {email}.',
    rehireSalaryText: 'Leave empty to pay the last salary again.',
    rehireDo: 'Rehire',
    rehireDone: '{name} rehired',
    employee: 'Employee {number}',
    workedUntil: 'worked here until {day}.',
    workedHere: 'has worked here before.',
    worksHere: 'already works here and cannot be hired again.',
    sameEmail: 'The employee record has the e-mail address of this candidate.',
    belongsToEmployee:
      'The e-mail address of this candidate belongs to a current or former employee. Ask somebody who can edit employees to hire this candidate.',
    needsEmployees: 'This candidate has worked here before. Ask somebody who can edit employees to rehire them.',
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
    rehireTitle: '{name} wieder einstellen',
    rehireText:
      'Beginnt eine neue Beschäftigung mit den Angaben der Ausschreibung „{vacancy}“. Die frühere Beschäftigung bleibt im Profil. Der Urlaub beginnt wieder bei 0.',
    rehireEmailText: 'Leer lassen, um {email} zu behalten.',
    rehireSalaryText: 'Leer lassen, damit wieder das letzte Gehalt gilt.',
    rehireDo: 'Wieder einstellen',
    rehireDone: '{name} wieder eingestellt',
    employee: 'Personalnummer {number}',
    workedUntil: 'war bis {day} hier beschäftigt.',
    workedHere: 'war schon einmal hier beschäftigt.',
    worksHere: 'ist bereits hier beschäftigt und kann nicht noch einmal eingestellt werden.',
    sameEmail: 'In der Personalakte steht die E-Mail-Adresse dieser Bewerbung.',
    belongsToEmployee:
      'Die E-Mail-Adresse dieser Bewerbung gehört zu einer aktuellen oder früheren Personalakte. Wer Personalakten bearbeiten darf, kann die Einstellung vornehmen.',
    needsEmployees:
      'Diese Person war schon einmal hier beschäftigt. Wer Personalakten bearbeiten darf, kann sie wieder einstellen.',
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
    rehireTitle: 'Прийняти знову: {name}',
    rehireText:
      'Починає новий період роботи з посадою з вакансії «{vacancy}». Попередній період залишається в профілі. Відпустка знову починається з 0.',
    rehireEmailText: 'Залиште порожнім, щоб зберегти {email}.',
    rehireSalaryText: 'Залиште порожнім, щоб знову діяла остання зарплата.',
    rehireDo: 'Прийняти знову',
    rehireDone: 'Прийнято знову: {name}',
    employee: 'Табельний номер {number}',
    workedUntil: '– період роботи тут завершився {day}.',
    workedHere: '– період роботи тут уже завершився.',
    worksHere: 'уже працює тут, тож найняти ще раз не можна.',
    sameEmail: 'У картці працівника вказано електронну адресу цього кандидата.',
    belongsToEmployee:
      'Електронна адреса цього кандидата належить нинішньому або колишньому працівникові. Зверніться до того, хто може змінювати картки працівників.',
    needsEmployees:
      'Цей кандидат уже працював тут. Зверніться до того, хто може змінювати картки працівників, щоб прийняти його знову.',
  },
})
