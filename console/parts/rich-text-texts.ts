import { texts } from '../texts/i18n.ts'

export const richTexts = texts({
  en: {
    preview: 'Preview',
    signs: 'Leave a blank line between paragraphs. # heading, - or 1. list, **bold**, *italic*, [link text](https://…)',
    asHtml: 'This text has formatting that the editor does not support, so you edit its HTML.',
  },
  de: {
    preview: 'Vorschau',
    signs:
      'Absätze durch eine Leerzeile trennen. # Überschrift, - oder 1. Liste, **fett**, *kursiv*, [Linktext](https://…)',
    asHtml: 'Dieser Text enthält Formatierungen, die der Editor nicht unterstützt. Sie bearbeiten daher den HTML-Code.',
  },
  uk: {
    preview: 'Перегляд',
    signs:
      'Розділяйте абзаци порожнім рядком. # заголовок, - або 1. список, **жирний**, *курсив*, [текст посилання](https://…)',
    asHtml: 'Цей текст має форматування, якого редактор не підтримує, тому ви редагуєте HTML.',
  },
})
