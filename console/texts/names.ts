import { texts, useTexts } from './i18n.ts'
import { personNames, personValues } from './person-names.ts'

/**
 * Names of fields and of their values, by the names that the interface has for them: for columns, forms and filters of
 * all screens. What is not here yet is shown as the interface writes it, in plain words.
 */
export const fieldNames = texts({
  en: {
    ...personNames.en,
    first_name: 'First name',
    middle_name: 'Middle name',
    last_name: 'Last name',
    full_name: 'Name',
    name: 'Name',
    email: 'E-mail',
    personal_email: 'Personal e-mail',
    employee_number: 'Number',
    status: 'Status',
    department: 'Department',
    location: 'Location',
    division: 'Division',
    position: 'Position',
    job_level: 'Level',
    reporting_to: 'Manager',
    hired_on: 'Hired on',
    probation_ends_on: 'Probation ends',
    work_phone_number: 'Work phone',
    mobile_number: 'Mobile phone',
    employment_type: 'Employment',
    legal_entity: 'Legal entity',
    date_of_birth: 'Date of birth',
    gender: 'Gender',
    description: 'Description',
    comment: 'Comment',
    created_at: 'Created',
    updated_at: 'Changed',
    effective_from: 'From',
    password: 'Password',
  },
  de: {
    ...personNames.de,
    first_name: 'Vorname',
    middle_name: 'Zweiter Vorname',
    last_name: 'Nachname',
    full_name: 'Name',
    name: 'Name',
    email: 'E-Mail',
    personal_email: 'Private E-Mail',
    employee_number: 'Nummer',
    status: 'Status',
    department: 'Abteilung',
    location: 'Standort',
    division: 'Bereich',
    position: 'Position',
    job_level: 'Stufe',
    reporting_to: 'Führungskraft',
    hired_on: 'Eingestellt am',
    probation_ends_on: 'Probezeit endet',
    work_phone_number: 'Telefon (Arbeit)',
    mobile_number: 'Mobiltelefon',
    employment_type: 'Beschäftigungsart',
    legal_entity: 'Gesellschaft',
    date_of_birth: 'Geburtsdatum',
    gender: 'Geschlecht',
    description: 'Beschreibung',
    comment: 'Kommentar',
    created_at: 'Angelegt',
    updated_at: 'Geändert',
    effective_from: 'Ab',
    password: 'Passwort',
  },
  uk: {
    ...personNames.uk,
    first_name: 'Ім’я',
    middle_name: 'По батькові',
    last_name: 'Прізвище',
    full_name: 'Ім’я',
    name: 'Назва',
    email: 'Ел. пошта',
    personal_email: 'Особиста пошта',
    employee_number: 'Номер',
    status: 'Статус',
    department: 'Відділ',
    location: 'Офіс',
    division: 'Підрозділ',
    position: 'Посада',
    job_level: 'Рівень',
    reporting_to: 'Керівник',
    hired_on: 'Дата найму',
    probation_ends_on: 'Кінець випробування',
    work_phone_number: 'Робочий телефон',
    mobile_number: 'Мобільний телефон',
    employment_type: 'Зайнятість',
    legal_entity: 'Юридична особа',
    date_of_birth: 'Дата народження',
    gender: 'Стать',
    description: 'Опис',
    comment: 'Коментар',
    created_at: 'Створено',
    updated_at: 'Змінено',
    effective_from: 'З',
    password: 'Пароль',
  },
})

export const valueNames = texts({
  en: {
    ...personValues.en,
    hired: 'Hired',
    probation: 'On probation',
    employed: 'Employed',
    terminated: 'Left',
    active: 'Active',
    all: 'Everybody',
    pending: 'Pending',
    approved: 'Approved',
    rejected: 'Rejected',
    cancelled: 'Cancelled',
    open: 'Open',
    closed: 'Closed',
    draft: 'Draft',
  },
  de: {
    ...personValues.de,
    hired: 'Eingestellt',
    probation: 'In der Probezeit',
    employed: 'Beschäftigt',
    terminated: 'Ausgeschieden',
    active: 'Aktiv',
    all: 'Alle',
    pending: 'Offen',
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    cancelled: 'Storniert',
    open: 'Offen',
    closed: 'Geschlossen',
    draft: 'Entwurf',
  },
  uk: {
    ...personValues.uk,
    hired: 'Найнято',
    probation: 'На випробуванні',
    employed: 'Працює',
    terminated: 'Звільнено',
    active: 'Активні',
    all: 'Усі',
    pending: 'Очікує',
    approved: 'Схвалено',
    rejected: 'Відхилено',
    cancelled: 'Скасовано',
    open: 'Відкрито',
    closed: 'Закрито',
    draft: 'Чернетка',
  },
})

/** `hired_on` → Hired on */
const inWords = (name: string) => {
  const plain = name.replace(/_ids?$/, '').replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

type Loose = (key: string) => string

export function useFieldName(): (name: string) => string {
  const say = useTexts(fieldNames) as unknown as Loose
  return (name) => {
    const key = [name, name.replace(/_id$/, '')].find((one) => one in fieldNames.en)
    return key ? say(key) : inWords(name)
  }
}

export function useValueName(): (value: string | number | boolean) => string {
  const say = useTexts(valueNames) as unknown as Loose
  return (value) => (String(value) in valueNames.en ? say(String(value)) : inWords(String(value)))
}
