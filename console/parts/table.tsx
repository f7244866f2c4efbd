import { Checkbox, Skeleton, Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../shell/icons.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { usePrinting } from './printing.ts'

/** A table of any size. Only visible rows are in the document, and only their pages are loaded. */

export type Column<Row> = {
  key: string
  title: string
  show: (row: Row) => ReactNode
  /** The API's name for sorting by this column. */
  sort?: string
  /** The CSS width of the column. The remaining width is shared. */
  width?: string
  align?: 'start' | 'end'
  /** The cell on a phone. */
  showOnPhone?: (row: Row) => ReactNode
  /** Not shown on a phone. */
  isMinor?: boolean
}

const ROW = 48
export const MOST_PRINTED = 1000
export const PHONE = '(max-width: 48em)'

export type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  total: number
  rowAt: (index: number) => Row | undefined
  idOf: (row: Row) => number
  /** Called with the range of visible rows, to load their pages. */
  onView: (first: number, last: number) => void
  sort?: string
  onSort?: (sort: string) => void
  /** Called on Enter, or on a click outside the row's links. */
  onOpen?: (row: Row) => void
  /** The rows to print, if more were loaded than are visible. */
  printed?: readonly Row[] | undefined
  selection?: { ids: ReadonlySet<number>; change: (ids: ReadonlySet<number>) => void; nameOf: (row: Row) => string }
}

export function VirtualTable<Row>(props: TableProps<Row>) {
  const isPrinting = usePrinting()
  return isPrinting ? <PrintedTable {...props} /> : <TableInView {...props} />
}

/** The printed version: a plain table of the loaded rows, and how many they are. */
function PrintedTable<Row>({ label, columns, total, rowAt, printed }: TableProps<Row>) {
  const t = useTexts(common)
  const known = printed ?? Array.from({ length: Math.min(total, MOST_PRINTED) }, (_, index) => rowAt(index))
  const rows = known.filter((row) => row !== undefined)
  return (
    <>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, title }) => (
              <Table.Th key={key}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: it is drawn only once
            <Table.Tr key={index}>
              {columns.map(({ key, show }) => (
                <Table.Td key={key}>{show(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length < total ? <p>{t('shownOf', { shown: rows.length, total })}</p> : null}
    </>
  )
}

function TableInView<Row>(props: TableProps<Row>) {
  const { label, columns: all, total, rowAt, idOf, onView, sort = '', onSort, onOpen, selection } = props
  const t = useTexts(common)
  const isPhone = useMediaQuery(PHONE)
  const columns = isPhone ? all.filter(({ isMinor }) => !isMinor) : all
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [current, setCurrent] = useState(0)
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [])
  const rows = useWindowVirtualizer({ count: total, estimateSize: () => ROW, overscan: 8, scrollMargin: top })
  const items = rows.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useLayoutEffect(() => onView(first, last), [first, last, onView])

  const template = [...(selection ? ['40px'] : []), ...columns.map((one) => widthOf(one, isPhone ? 16 : 24))].join(' ')

  const focusRow = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index))
    setCurrent(next)
    rows.scrollToIndex(next)
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus())
  }
  const toggle = (row: Row) => {
    if (!selection) return
    const next = new Set(selection.ids)
    if (!next.delete(idOf(row))) next.add(idOf(row))
    selection.change(next)
  }
  const press = (event: KeyboardEvent, index: number) => {
    if (event.target !== event.currentTarget) return
    const row = rowAt(index)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, j: 1, k: -1 }
    const step = steps[event.key]
    if (step) focusRow(index + step)
    else if (event.key === 'Home') focusRow(0)
    else if (event.key === 'End') focusRow(total - 1)
    else if (event.key === 'Enter' && row) onOpen?.(row)
    else if ((event.key === ' ' || event.key === 'x') && row) toggle(row)
    else return
    event.preventDefault()
  }

  const inView = items.map(({ index }) => rowAt(index)).filter((row): row is Row => row !== undefined)
  const allThere = selection !== undefined && inView.length > 0 && inView.every((row) => selection.ids.has(idOf(row)))

  return (
    // biome-ignore lint/a11y/useSemanticElements: a real table must contain all rows, including hidden ones
    <div
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + (selection ? 1 : 0)}
      className="table"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="rowgroup" className="table-head">
        {/* biome-ignore lint/a11y/useSemanticElements: see above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the headings in it are focusable */}
        <div role="row" aria-rowindex={1} className="table-row" style={{ gridTemplateColumns: template }}>
          {selection ? (
            // biome-ignore lint/a11y/useSemanticElements: see above
            // biome-ignore lint/a11y/useFocusableInteractive: its content is focusable
            <div role="columnheader" className="table-cell">
              <Checkbox
                aria-label={t('selectAll')}
                checked={allThere}
                indeterminate={!allThere && selection.ids.size > 0}
                onChange={() =>
                  selection.change(allThere ? new Set() : new Set([...selection.ids, ...inView.map(idOf)]))
                }
              />
            </div>
          ) : null}
          {columns.map((column) => (
            <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="rowgroup" ref={body} className="table-body" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rowAt(index)
          const isSelected = row !== undefined && selection?.ids.has(idOf(row))
          return (
            // biome-ignore lint/a11y/useSemanticElements: see above
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={selection ? Boolean(isSelected) : undefined}
              aria-busy={row === undefined || undefined}
              data-row={index}
              tabIndex={index === current || (index === first && (current < first || current > last)) ? 0 : -1}
              className="table-row table-line"
              style={{ gridTemplateColumns: template, transform: `translateY(${start - top}px)`, height: ROW }}
              onKeyDown={(event) => press(event, index)}
              onFocus={() => setCurrent(index)}
              onClick={(event) => {
                if (row && onOpen && !(event.target as HTMLElement).closest('a, button, input, label')) onOpen(row)
              }}
            >
              {selection ? (
                // biome-ignore lint/a11y/useSemanticElements: see above
                <div role="cell" className="table-cell">
                  {row ? (
                    <Checkbox
                      aria-label={t('select', { name: selection.nameOf(row) })}
                      checked={Boolean(isSelected)}
                      onChange={() => toggle(row)}
                    />
                  ) : null}
                </div>
              ) : null}
              {columns.map(({ key, show, showOnPhone, align }) => (
                // biome-ignore lint/a11y/useSemanticElements: see above
                <div key={key} role="cell" className={cellClass(align)}>
                  {row ? ((isPhone && showOnPhone) || show)(row) : <Skeleton height={12} width="70%" />}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type ColumnWidth = Pick<Column<never>, 'title' | 'sort' | 'width'>

/** The column's width: at least the longest word of its heading, which never breaks. */
function widthOf({ title, sort, width = 'minmax(120px, 1fr)' }: ColumnWidth, padding: number): string {
  const longest = Math.max(...title.split(/[\s\u00ad-]/).map((word) => word.length))
  const room = `calc(${(longest * 1.15).toFixed(1)}ch + ${padding + (sort ? 18 : 0)}px)`
  return width.replace(/\d+px/, (least) => `max(${least}, ${room})`)
}

const cellClass = (align?: string) => (align === 'end' ? 'table-cell table-end' : 'table-cell')

function Heading<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: string
  onSort: ((sort: string) => void) | undefined
}) {
  const t = useTexts(common)
  const { title, sort: by, align } = column
  const way = by && sort === by ? 'ascending' : by && sort === `-${by}` ? 'descending' : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it is focusable
    <div
      role="columnheader"
      aria-sort={by ? (way ?? 'none') : undefined}
      className={`${cellClass(align)} table-heading`}
    >
      {by && onSort ? (
        <button
          type="button"
          className="table-sort"
          onClick={() => onSort(way === 'ascending' ? `-${by}` : by)}
          title={t('sortBy', { name: title })}
        >
          {title}
          {way ? <Icon name={way === 'ascending' ? 'up' : 'down'} size={14} /> : null}
        </button>
      ) : (
        title
      )}
    </div>
  )
}
