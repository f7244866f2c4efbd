import type { FastifyInstance } from 'fastify'
import { daysAfter } from '../engine/day.ts'
import { PREFIX } from '../surfaces/http/routes.ts'

export const FIRST =
  'Ada Alan Amara Anna Ben Bruno Chen Clara David Elena Emil Eva Farid Fatima Felix Grace Hana Hugo Ines Ivan Jana Jonas Julia Kofi Lars Lea Leon Lina Luca Maja Marie Mateo Mia Milan Nadia Nils Noah Nora Olga Omar Paul Priya Rosa Sami Sara Sofia Tom Uma Viktor Yara Zoe'.split(
    ' ',
  )
export const LAST =
  'Adler Bauer Becker Brandt Costa Dumont Eriksen Ferrari Fischer Garcia Hansen Hoffmann Ivanov Jansen Keller Klein Kowalski Lang Larsen Lehmann Lopez Maier Martin Moreau Nowak Olsen Park Peters Petit Rossi Roux Sato Schmidt Schulz Silva Simon Sommer Torres Urban Vogel Wagner Weber Weiss Werner Winter Wolf Yilmaz Ziegler'.split(
    ' ',
  )
export const COUNTRIES = [
  { code: 'DE', city: 'Berlin', zone: 'Europe/Berlin', address: 'Torstraße 1, 10119 Berlin' },
  { code: 'FR', city: 'Paris', zone: 'Europe/Paris', address: '12 rue de Rivoli, 75004 Paris' },
  { code: 'GB', city: 'London', zone: 'Europe/London', address: '1 Old Street, London EC1V' },
  { code: 'US', city: 'New York', zone: 'America/New_York', address: '5 Broadway, New York, NY' },
]

/** A small generator of numbers that begins anew from the same seed. */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return {
    below: (n: number) => Math.floor(next() * n),
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  }
}

/** What all areas of the demo share: the service they tell it to, and what they have told so far. */
export class Company {
  readonly #app: FastifyInstance
  readonly #key: string
  readonly #ids: Record<string, number[]> = {}
  readonly today: string
  /** One generator for all areas, so their order decides what each of them draws. */
  readonly chance = chance(42)
  /** The ids of the people who have not left. */
  readonly present: number[] = []

  constructor(app: FastifyInstance, key: string, today: string) {
    this.#app = app
    this.#key = key
    this.today = today
  }

  /** Sends a request, and leaves it to the caller whether a refusal matters. */
  attempt(method: 'POST' | 'PUT', path: string, body: unknown) {
    return this.#app.inject({
      method,
      url: PREFIX + path,
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
  }

  async send(method: 'POST' | 'PUT', path: string, body: unknown) {
    const answer = await this.attempt(method, path, body)
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`)
    return answer
  }

  /** Creates a record, remembers its id under the path, and returns it. */
  async add<Made extends { id: number }>(path: string, body: Record<string, unknown>): Promise<Made> {
    const { data } = (await this.send('POST', path, body)).json<{ data: Made }>()
    this.#ids[path] = [...(this.#ids[path] ?? []), data.id]
    return data
  }

  /** The ids of all records created under a path. */
  all(path: string): number[] {
    return this.#ids[path] as number[]
  }

  any(path: string): number {
    return this.chance.of(this.all(path))
  }

  ago(days: number): string {
    return daysAfter(this.today, -days)
  }
}
