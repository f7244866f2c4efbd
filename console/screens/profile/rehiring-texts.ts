import { texts } from '../../texts/i18n.ts'

export const rehiringTexts = texts({
  en: {
    title: 'Rehire',
    rehire: 'Rehire',
    firstDay: 'First day of the new employment',
    text: 'The employment that ended on {day} stays in the profile of {name}. Leave starts again at 0.',
    pay: 'The last salary applies again. You can change it afterwards.',
    rehired: '{name} rehired. First day: {day}',
  },
  de: {
    title: 'Wieder einstellen',
    rehire: 'Wieder einstellen',
    firstDay: 'Erster Tag der neuen Beschäftigung',
    text: 'Die Beschäftigung, die am {day} endete, bleibt im Profil von {name}. Der Urlaub beginnt wieder bei 0.',
    pay: 'Es gilt wieder das letzte Gehalt. Sie können es anschließend ändern.',
    rehired: '{name} wieder eingestellt. Erster Tag: {day}',
  },
  uk: {
    title: 'Прийняти знову',
    rehire: 'Прийняти знову',
    firstDay: 'Перший день нової роботи',
    text: 'Період роботи, що завершився {day}, залишається в профілі: {name}. Відпустка знову починається з 0.',
    pay: 'Знову діє остання зарплата. Її можна змінити пізніше.',
    rehired: '{name}: знову на роботі. Перший день: {day}',
  },
})
