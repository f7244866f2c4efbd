import { texts } from '../../texts/i18n.ts'

export const rehiringTexts = texts({
  en: {
    title: 'Rehire',
    rehire: 'Rehire',
    firstDay: 'First day of the new employment',
    text: 'The employment that ended on {day} stays in the profile of {name}. Leave starts again at 0.',
    notEligible: 'Marked as not eligible for rehire',
    rehired: '{name} rehired. First day: {day}',
  },
  de: {
    title: 'Wieder einstellen',
    rehire: 'Wieder einstellen',
    firstDay: 'Erster Tag der neuen Beschäftigung',
    text: 'Die Beschäftigung, die am {day} endete, bleibt im Profil von {name}. Der Urlaub beginnt wieder bei 0.',
    notEligible: 'Als nicht wieder einzustellen vermerkt',
    rehired: '{name} wieder eingestellt. Erster Tag: {day}',
  },
  uk: {
    title: 'Прийняти знову',
    rehire: 'Прийняти знову',
    firstDay: 'Перший день нової роботи',
    text: 'Період роботи, що завершився {day}, залишається в профілі: {name}. Відпустка знову починається з 0.',
    notEligible: 'Позначено: повторний найм небажаний',
    rehired: '{name}: знову на роботі. Перший день: {day}',
  },
})
