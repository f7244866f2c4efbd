import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { attempt, rowsOf, storeChanges } from '../../engine/records.ts'
import { isUndoOperation } from '../../engine/undo/undoable.ts'
import { chunks } from '../../records/chunks.ts'
import type { Consequence } from '../../records/consequences.ts'
import type { Change } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { PLANNED } from '../access/permissions.ts'
import { employeeFieldValues } from './custom-values.ts'
import { employmentsReplaced } from './former-employments.ts'
import { salaries } from './salaries.ts'

/**
 * The first salary and the first values of historical fields begin with the employment: when its first day moves, those that
 * began on it move along. The first entries of the job are moved where they are planned, the leave where it is assigned.
 */

export type FirstDayMove = { employeeId: number; from: string; to: string }

/** The records of one kind and person, sorted by date: salaries, or values of one custom field. */
type RecordSeries = {
  one: string
  employeeId: number
  rows: { id: number; day: string }[]
  isSeen: boolean
  fieldId: number | null
}

/** Three statements for all. */
async function linesOf(db: Reader, ids: readonly number[]): Promise<{ lines: RecordSeries[]; store: StoreMoved }> {
  const pay = await rowsOf(salaries, db.from('salaries').where('employee_id', 'in', [...ids]), ['effective_on', 'id'])
  const fields = await db.from('employee_fields').select(['id', 'protection']).where('historical', '=', true).execute()
  const protection = new Map(fields.map((field) => [field.id as number, field.protection]))
  const values = await rowsOf(
    employeeFieldValues,
    db
      .from('employee_field_values')
      .where('employee_id', 'in', [...ids])
      .where('employee_field_id', 'in', [0, ...protection.keys()]),
    ['effective_from', 'id'],
  )
  const sees = (id: number, group: string | null | undefined) =>
    holdsFor(db, 'employees:read', 'employees', id, group ?? undefined)
  const lines = [
    ...[...Map.groupBy(pay, (row) => row.employee_id)].map(([employeeId, rows]) => ({
      one: 'salary',
      employeeId,
      rows: rows.map(({ id, effective_on: day }) => ({ id, day })),
      isSeen: sees(employeeId, 'compensation'),
      fieldId: null,
    })),
    ...[...Map.groupBy(values, (row) => `${row.employee_id} ${row.employee_field_id}`).values()].map((rows) => ({
      one: 'historical field value',
      employeeId: rows[0]?.employee_id as number,
      rows: rows.map(({ id, effective_from: day }) => ({ id, day })),
      isSeen: sees(rows[0]?.employee_id as number, protection.get(rows[0]?.employee_field_id as number)),
      fieldId: rows[0]?.employee_field_id as number,
    })),
  ]
  const store: StoreMoved = async (writer, moved) => {
    await storeChanges(
      writer,
      salaries,
      pay.flatMap((row) => {
        const to = moved.salaries.get(row.id)
        return to ? [attempt(writer, salaries, row, { effective_on: to })] : []
      }),
    )
    await storeChanges(
      writer,
      employeeFieldValues,
      values.flatMap((row) => {
        const to = moved.values.get(row.id)
        return to ? [attempt(writer, employeeFieldValues, row, { effective_from: to })] : []
      }),
    )
  }
  return { lines, store }
}

type StoreMoved = (db: Writer, moved: { salaries: Map<number, string>; values: Map<number, string> }) => Promise<void>

/** The first record of the employment that starts on a day. */
const firstSince = (day: string, { rows }: RecordSeries) => rows.find((row) => row.day >= day)

const beginsOn = (day: string, line: RecordSeries) => firstSince(day, line)?.day === day

/** The one that a first one would have to pass, or to take the place of. */
const inTheWay = ({ from, to }: FirstDayMove, { rows }: RecordSeries) =>
  to < from ? rows.findLast(({ day }) => to <= day && day < from) : rows.find(({ day }) => from < day && day <= to)

/** What would have to pass the next one of its kind is a problem of the move, for those who may know of it. */
export async function checkFirstDays(
  db: Reader,
  moves: readonly (FirstDayMove & { fail: (code: string, message: string) => void })[],
): Promise<void> {
  if (moves.length === 0) return
  const byPerson = new Map(moves.map((move) => [move.employeeId, move]))
  const { lines } = await linesOf(db, [...byPerson.keys()])
  for (const line of lines) {
    const move = byPerson.get(line.employeeId)
    const next = move && inTheWay(move, line)
    if (!move || !next || !line.isSeen) continue
    if (next.day > db.today && !holdsFor(db, 'employees:read', 'employees', line.employeeId, PLANNED)) continue
    if (!beginsOn(move.from, line)) {
      // Values of fields may be of the time before.
      if (line.fieldId === null && next.day < move.to)
        move.fail(
          'passes_next',
          `cannot be ${move.to}: ${line.one} ${next.id} starts on ${next.day}. Change that ${line.one} first`,
        )
      continue
    }
    const first = `${line.one} ${firstSince(move.from, line)?.id}, the first one, would move to that day`
    const second = `${line.one} ${next.id} starts on ${next.day}`
    move.fail('passes_next', `cannot be ${move.to}: ${first}, but ${second}. Change ${line.one} ${next.id} first`)
  }
}

/** The first days that changes of employees move; none in an undo, which puts back what had moved. */
export const firstDaysMoved = (db: Writer, changes: readonly Change[]): FirstDayMove[] => {
  const others = employmentsReplaced(db)
  const moves = changes.flatMap(({ resource, action, record_id: employeeId, before, after }) => {
    const [from, to] = [before?.hired_on, after?.hired_on]
    const isMoved = resource === 'employees' && action === 'update' && from !== to && !others.has(employeeId)
    return isMoved && typeof from === 'string' && typeof to === 'string' ? [{ employeeId, from, to }] : []
  })
  return moves.length > 0 && db.entries().some(({ operation }) => isUndoOperation(operation)) ? [] : moves
}

export const payMovesWithHiring: Consequence = {
  of: ['employees'],
  async follow(db, changes) {
    // What was stored along with the first day stays as it was sent.
    const sent = new Set(
      db
        .changes()
        .flatMap(({ resource, after }) =>
          resource === employeeFieldValues.table ? [`${after?.employee_id} ${after?.employee_field_id}`] : [],
        ),
    )
    for (const some of chunks(firstDaysMoved(db, changes), 1000)) {
      const byPerson = new Map(some.map((move) => [move.employeeId, move]))
      const { lines, store } = await linesOf(db, [...byPerson.keys()])
      const moved = { salaries: new Map<number, string>(), values: new Map<number, string>() }
      for (const line of lines) {
        const move = byPerson.get(line.employeeId)
        if (!move || !beginsOn(move.from, line) || inTheWay(move, line)) continue
        if (line.fieldId !== null && sent.has(`${line.employeeId} ${line.fieldId}`)) continue
        for (const { id, day } of line.rows)
          if (day === move.from) moved[line.fieldId === null ? 'salaries' : 'values'].set(id, move.to)
      }
      await store(db, moved)
    }
  },
}
