import { texts } from '../../texts/i18n.ts'

/** Separate from the other texts, because most users only read the list. */
export const bulkTexts = texts({
  en: {
    bulkTitle: { one: 'Change {count} employee', other: 'Change {count} employees' },
    bulkField: 'Field to change',
    bulkEmpties: 'Clear “{name}”',
    bulkChanged:
      'Some employees were changed in the meantime and were skipped. Check the preview again before you continue.',
    bulkPreview: 'Preview',
    bulkWhat: 'Field',
    bulkWas: 'Before',
    bulkIs: 'After',
    bulkFrom: 'From {day}',
    bulkApply: { one: 'Apply {count} change', other: 'Apply {count} changes' },
    bulkDone: { one: '{count} employee changed', other: '{count} employees changed' },
    bulkRefused: { one: '{count} employee cannot be changed', other: '{count} employees cannot be changed' },
    bulkUntouched: { one: 'No changes for {count} person', other: 'No changes for {count} people' },
  },
  de: {
    bulkTitle: { one: '{count} Person ändern', other: '{count} Mitarbeitende ändern' },
    bulkField: 'Zu änderndes Feld',
    bulkEmpties: '„{name}“ leeren',
    bulkChanged:
      'Einige Mitarbeitende wurden inzwischen geändert und daher übersprungen. Prüfen Sie die Vorschau noch einmal, bevor Sie fortfahren.',
    bulkPreview: 'Vorschau',
    bulkWhat: 'Feld',
    bulkWas: 'Vorher',
    bulkIs: 'Nachher',
    bulkFrom: 'Ab {day}',
    bulkApply: { one: '{count} Änderung übernehmen', other: '{count} Änderungen übernehmen' },
    bulkDone: { one: '{count} Person geändert', other: '{count} Mitarbeitende geändert' },
    bulkRefused: {
      one: '{count} Person kann nicht geändert werden',
      other: '{count} Mitarbeitende können nicht geändert werden',
    },
    bulkUntouched: { one: 'Keine Änderung für {count} Person', other: 'Keine Änderungen für {count} Personen' },
  },
  uk: {
    bulkTitle: {
      one: 'Змінити дані {count} працівника',
      few: 'Змінити дані {count} працівників',
      many: 'Змінити дані {count} працівників',
      other: 'Змінити дані {count} працівника',
    },
    bulkField: 'Поле для зміни',
    bulkEmpties: 'Очистити «{name}»',
    bulkChanged:
      'Дані деяких працівників тим часом змінено, тож їх пропущено. Ще раз перевірте попередній перегляд, перш ніж продовжити.',
    bulkPreview: 'Попередній перегляд',
    bulkWhat: 'Поле',
    bulkWas: 'Було',
    bulkIs: 'Буде',
    bulkFrom: 'З {day}',
    bulkApply: {
      one: 'Застосувати {count} зміну',
      few: 'Застосувати {count} зміни',
      many: 'Застосувати {count} змін',
      other: 'Застосувати {count} зміни',
    },
    bulkDone: {
      one: 'Змінено дані {count} працівника',
      few: 'Змінено дані {count} працівників',
      many: 'Змінено дані {count} працівників',
      other: 'Змінено дані {count} працівника',
    },
    bulkRefused: {
      one: 'Дані {count} працівника не можна змінити',
      few: 'Дані {count} працівників не можна змінити',
      many: 'Дані {count} працівників не можна змінити',
      other: 'Дані {count} працівника не можна змінити',
    },
    bulkUntouched: {
      one: 'Без змін: {count} працівник',
      few: 'Без змін: {count} працівники',
      many: 'Без змін: {count} працівників',
      other: 'Без змін: {count} працівника',
    },
  },
})
