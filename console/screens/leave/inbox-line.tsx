import { Button, Checkbox, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { offerUndo } from '../../client/notices.ts'
import { nameOf, PersonLine } from '../../parts/person.tsx'
import { useSettled } from '../../parts/settled.ts'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import type { Decision } from './decisions.ts'
import type { InboxItem, Verdict } from './inbox.ts'
import { useItemText } from './item-text.ts'
import { leaveTexts } from './texts.ts'

/** A request with the buttons to decide it, or the decision. */
export function InboxLine(props: {
  item: InboxItem
  decision: Decision | undefined
  isCurrent: boolean
  isSelected: boolean
  /** `isAtControl`: the press was on a checkbox or button of the line. */
  onPress: (isAtControl: boolean) => void
  onToggle: () => void
  onDecide: (verdict: Verdict) => void
  /** Shown below the line if there is no room beside the list. */
  details: ReactNode
}) {
  const { item, decision, isCurrent, isSelected, onPress, onToggle, onDecide, details } = props
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const what = useItemText()
  const name = `${nameOf(item.person)}, ${what(item)}`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page handles the keys
    <li
      className="leave-item"
      data-key={item.key}
      data-current={isCurrent}
      aria-current={isCurrent ? 'true' : undefined}
      aria-label={name}
      tabIndex={isCurrent ? 0 : -1}
      // On release, not on press. Otherwise details that open below would move the lines under the finger, or the
      // second half of a double click would hit another line.
      onClick={({ target }) => onPress((target as Element).closest('button, input, label, a') !== null)}
    >
      <Checkbox
        aria-label={words('select', { name })}
        checked={isSelected}
        onChange={onToggle}
        disabled={decision !== undefined}
        tabIndex={isCurrent ? 0 : -1}
      />
      <div>
        <PersonLine of={item.person} beneath={what(item)} isWhole isLink={false} />
        {item.comment ? (
          <Text size="sm" mt={4} ms={44} lineClamp={2}>
            {item.comment}
          </Text>
        ) : null}
      </div>
      <Group gap={6} className="leave-item-actions no-print" wrap="nowrap">
        {decision ? (
          <Decided name={name} by={decision} />
        ) : (
          <>
            <Button
              size="xs"
              variant="light"
              leftSection={<Icon name="check" size={14} />}
              onClick={() => onDecide('approve')}
              aria-label={`${t('approve')}: ${name}`}
              tabIndex={isCurrent ? 0 : -1}
            >
              {t('approve')}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => onDecide('reject')}
              aria-label={`${t('reject')}: ${name}`}
              tabIndex={isCurrent ? 0 : -1}
            >
              {t('reject')}
            </Button>
          </>
        )}
      </Group>
      {details}
    </li>
  )
}

function Decided({ name, by: { verdict, undoing } }: { name: string; by: Decision }) {
  const t = useTexts(leaveTexts)
  const words = useTexts(common)
  const valueName = useValueName()
  const isSettled = useSettled('decided', true)
  return (
    <>
      <Text size="sm" c="dimmed">
        {verdict ? valueName(verdict === 'approve' ? 'approved' : 'rejected') : t('decidedElsewhere')}
      </Text>
      {undoing ? (
        <Button
          size="xs"
          variant="subtle"
          disabled={!isSettled}
          aria-label={`${words('undo')}: ${name}`}
          onClick={() => offerUndo(undoing)}
        >
          {words('undo')}
        </Button>
      ) : null}
    </>
  )
}
