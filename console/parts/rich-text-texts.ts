import { texts } from '../texts/i18n.ts'

export const richTexts = texts({
  en: {
    preview: 'Preview',
    signs: 'A blank line begins a paragraph, # a heading, - or 1. a list. **bold**, *italics*, [words](https://…)',
    asHtml: 'This text has more forms than can be typed, so it is edited as HTML.',
  },
  de: {
    preview: 'Vorschau',
    signs:
      'Eine leere Zeile beginnt einen Absatz, # eine Überschrift, - oder 1. eine Liste. **fett**, *kursiv*, [Text](https://…)',
    asHtml: 'Dieser Text ist reicher gestaltet, als sich tippen lässt, und wird daher als HTML bearbeitet.',
  },
  uk: {
    preview: 'Перегляд',
    signs: 'Порожній рядок починає абзац, # – заголовок, - або 1. – список. **жирний**, *курсив*, [слова](https://…)',
    asHtml: 'Цей текст оформлено багатше, ніж можна набрати, тому його редагують як HTML.',
  },
})
