/** Where the people of the demo company live: what they are called, earn and observe there. */

export type Gender = 'female' | 'male'

export type DemoLocation = {
  code: string
  city: string
  office: string
  zone: string
  /** The hour of UTC at which the working day begins there. */
  morning: number
  entity: string
  currency: string
  language: string
  /** What the same work is paid, beside Berlin. */
  payFactor: number
  vacationDays: number
  first: Record<Gender, string[]>
  last: string[]
  /** A number that nobody has: the ranges that are kept free for stories. */
  mobile: (n: number) => string
  phone: (n: number) => string
  taxNumber: (n: number) => string
  streets: string[]
  address: (street: string, n: number) => string
  university: string[]
  redCross: string
}

const words = (text: string) => text.split(' ')
const digits = (n: number, length: number) => String(n).padStart(length, '0')
/** Numbers that look like no sequence, the same every time; `below` and the factor share no divisor. */
const scattered = (n: number, below: number) => (n * 7_919 + 104_729) % below

export const PLACES: readonly DemoLocation[] = [
  {
    code: 'DE',
    city: 'Berlin',
    office: 'Torstraße 1, 10119 Berlin',
    zone: 'Europe/Berlin',
    morning: 6,
    entity: 'Example GmbH',
    currency: 'EUR',
    language: 'German',
    payFactor: 1,
    vacationDays: 30,
    first: {
      female: words(
        'Anna Charlotte Clara Emma Franziska Greta Hannah Helene Ida Jana Johanna Julia Katharina Lena Lina Luisa Marie Mathilda Nele Paula Sabine Sophie Ulrike Vera',
      ),
      male: words(
        'Anton Ben Bruno Christian Emil Fabian Felix Florian Friedrich Hannes Jakob Jan Jonas Jörg Jürgen Karl Lars Leon Lukas Moritz Niklas Paul Stefan Tobias',
      ),
    },
    last: words(
      'Adler Bauer Becker Brandt Fischer Frank Groß Hartmann Hoffmann Jansen Keller Klein Koch Krüger Lang Lehmann Maier Möller Müller Neumann Peters Richter Schäfer Schmidt Schneider Schröder Schulz Sommer Vogel Wagner Weber Weiß Werner Winter Wolf Ziegler',
    ),
    mobile: (n) => (n < 100 ? `+49 171 39200${digits(n, 2)}` : `+49 176 040690${digits(n - 100, 2)}`),
    phone: (n) => `+49 30 23125${digits(n, 3)}`,
    taxNumber: (n) => `${digits(10 + (n % 89), 2)} ${digits(scattered(n, 999_999_937), 9)}`,
    streets: words('Kastanienallee Sonnenallee Bergmannstraße Pappelallee Wühlischstraße Akazienstraße'),
    address: (street, n) => `${street} ${1 + (n % 97)}, ${10_115 + (n % 300)} Berlin`,
    university: ['TU Berlin', 'Humboldt-Universität zu Berlin', 'Universität Hamburg', 'Universität Leipzig'],
    redCross: 'Deutsches Rotes Kreuz',
  },
  {
    code: 'FR',
    city: 'Paris',
    office: '12 rue de Rivoli, 75004 Paris',
    zone: 'Europe/Paris',
    morning: 6,
    entity: 'Example SAS',
    currency: 'EUR',
    language: 'French',
    payFactor: 0.92,
    vacationDays: 25,
    first: {
      female: words('Adèle Camille Céline Chloé Élise Inès Jeanne Juliette Léa Louise Manon Margaux Noémie Sarah Zoé'),
      male: words('Adrien Antoine Arthur Baptiste Clément Étienne Gabriel Hugo Jules Lucas Mathieu Nicolas Rémi Théo'),
    },
    last: words(
      'Bernard Blanc Bonnet Chevalier Dubois Dumont Durand Faure Fontaine Garnier Girard Lambert Laurent Lefèvre Leroy Mercier Moreau Morel Perrin Petit Renard Richard Robert Rousseau Roux Vidal',
    ),
    mobile: (n) => `+33 6 39 98 ${digits(Math.floor(n / 100), 2)} ${digits(n % 100, 2)}`,
    phone: (n) => `+33 1 99 00 ${digits(Math.floor(n / 100), 2)} ${digits(n % 100, 2)}`,
    taxNumber: (n) => `30 ${digits(scattered(n, 99_999_989), 8)} ${digits(scattered(n, 499), 3)}`,
    streets: ['rue des Martyrs', 'rue Oberkampf', 'avenue Parmentier', 'rue de Charonne', 'boulevard Voltaire'],
    address: (street, n) => `${1 + (n % 97)} ${street}, ${75_001 + (n % 20)} Paris`,
    university: ['Sorbonne Université', 'Université de Lyon', 'INSA Toulouse'],
    redCross: 'Croix-Rouge française',
  },
  {
    code: 'GB',
    city: 'London',
    office: '1 Old Street, London EC1V 9HL',
    zone: 'Europe/London',
    morning: 7,
    entity: 'Example Ltd',
    currency: 'GBP',
    language: 'English',
    payFactor: 0.88,
    vacationDays: 25,
    first: {
      female: words(
        'Abigail Alice Amelia Beatrice Daisy Eleanor Emily Freya Georgia Imogen Isla Lucy Phoebe Poppy Rosie',
      ),
      male: words('Alfie Archie Callum Charlie Edward George Harry Isaac Jack Jamie Oliver Oscar Rupert Toby William'),
    },
    last: words(
      'Atkinson Bailey Barker Bennett Carter Clarke Cooper Davies Dixon Edwards Ellis Fletcher Foster Gibson Harrison Holmes Hughes Knight Marshall Palmer Pearson Roberts Shaw Taylor Turner Walker Webb Wright',
    ),
    mobile: (n) => `+44 7700 900${digits(n, 3)}`,
    phone: (n) => `+44 20 7946 0${digits(n, 3)}`,
    taxNumber: (n) => `${digits(10_000 + scattered(n, 89_989), 5)} ${digits(scattered(n, 99_991), 5)}`,
    streets: ['Mare Street', 'Stoke Newington Road', 'Brixton Hill', 'Camden Road', 'Lower Clapton Road'],
    address: (street, n) => `${1 + (n % 97)} ${street}, London E${1 + (n % 18)} ${1 + (n % 9)}QX`,
    university: ['University of Manchester', 'King’s College London', 'University of Leeds'],
    redCross: 'British Red Cross',
  },
  {
    code: 'US',
    city: 'New York',
    office: '5 Broadway, New York, NY 10004',
    zone: 'America/New_York',
    morning: 12,
    entity: 'Example Inc.',
    currency: 'USD',
    language: 'English',
    payFactor: 1.4,
    vacationDays: 20,
    first: {
      female: words(
        'Ashley Brooke Caitlin Danielle Grace Hailey Jasmine Kayla Madison Megan Natalie Paige Savannah Sierra',
      ),
      male: words('Austin Brandon Caleb Cody Dylan Ethan Garrett Hunter Jordan Logan Mason Ryan Travis Tyler Wyatt'),
    },
    last: words(
      'Allen Anderson Brooks Campbell Collins Diaz Evans Flores Garcia Hayes Henderson Hernandez Jackson Jenkins Johnson Kelly Lopez Martinez Miller Nelson Parker Perez Ramirez Reed Rivera Sanders Torres Wilson',
    ),
    mobile: (n) => `+1 ${[917, 646, 347, 929][Math.floor(n / 100)]} 555 01${digits(n % 100, 2)}`,
    phone: (n) =>
      `+1 ${[212, 718, 332, 680, 315, 585, 716, 914, 516, 631][Math.floor(n / 100)]} 555 01${digits(n % 100, 2)}`,
    taxNumber: (n) => `9${digits(scattered(n, 89), 2)}-${70 + (n % 19)}-${digits(scattered(n, 9_973), 4)}`,
    streets: ['Bedford Avenue', 'Amsterdam Avenue', 'Flatbush Avenue', 'Grand Street', 'Northern Boulevard'],
    address: (street, n) => `${10 + (n % 890)} ${street}, New York, NY ${10_001 + (n % 40)}`,
    university: ['City College of New York', 'Rutgers University', 'Ohio State University'],
    redCross: 'American Red Cross',
  },
]

/** Where the company began. */
export const HOME = PLACES[0] as DemoLocation

/** A name as it stands in an e-mail address. */
export const ascii = (name: string) =>
  name
    .replaceAll(/[äöü]/gi, (letter) => `${letter}e`)
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()

export const mailOf = (first: string, last: string, domain: string) => `${ascii(first)}.${ascii(last)}@${domain}`
