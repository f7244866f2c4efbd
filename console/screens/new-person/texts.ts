import { texts } from '../../texts/i18n.ts'

export const newPersonTexts = texts({
  en: {
    title: 'Add employee',
    text: 'Only the first and the last name are required. You can add everything else later in the profile.',
    firstDay: 'First day of work',
    invite: 'Give access',
    inviteText: 'You get a sign-in link to pass on. It works once and expires after a week.',
    inviteNeedsEmail: 'Access requires an e-mail address',
    added: '{name} added',
    linkTitle: '{name} added with access',
    linkText: 'Copy this link now; it won’t be shown again. Send it to the employee. It works once, until {moment}.',
    link: 'Sign-in link',
    toProfile: 'View profile',
    another: 'Add another employee',
  },
  de: {
    title: 'Mitarbeitende hinzufügen',
    text: 'Nur Vorname und Nachname sind erforderlich. Alles Weitere können Sie später im Profil ergänzen.',
    firstDay: 'Erster Arbeitstag',
    invite: 'Zugang geben',
    inviteText: 'Sie erhalten einen Anmeldelink zum Weitergeben. Er gilt einmal und läuft nach einer Woche ab.',
    inviteNeedsEmail: 'Für den Zugang ist eine E-Mail-Adresse erforderlich',
    added: '{name} hinzugefügt',
    linkTitle: '{name} mit Zugang hinzugefügt',
    linkText:
      'Kopieren Sie diesen Link jetzt, er wird nicht noch einmal angezeigt. Geben Sie ihn an die Person weiter. Er gilt einmal, bis {moment}.',
    link: 'Anmeldelink',
    toProfile: 'Profil ansehen',
    another: 'Weitere Mitarbeitende hinzufügen',
  },
  uk: {
    title: 'Додати працівника',
    text: 'Обов’язкові лише ім’я та прізвище. Решту можна додати пізніше у профілі.',
    firstDay: 'Перший робочий день',
    invite: 'Надати доступ',
    inviteText: 'Ви отримаєте посилання для входу, яке треба передати. Воно діє один раз протягом тижня.',
    inviteNeedsEmail: 'Для доступу потрібна електронна адреса',
    added: 'Додано: {name}',
    linkTitle: '{name}: додано, доступ надано',
    linkText:
      'Скопіюйте це посилання зараз: більше його не буде показано. Передайте його працівникові. Воно діє один раз, до {moment}.',
    link: 'Посилання для входу',
    toProfile: 'Переглянути профіль',
    another: 'Додати ще одного працівника',
  },
})
