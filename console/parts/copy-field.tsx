import { Button, Group, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Icon } from '../shell/icons.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

/** A text with a copy button: a URL, a key. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const t = useTexts(common)
  const { copy, copied } = useClipboard({ timeout: 3000 })
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        className="copied-text"
      />
      <Button
        variant="default"
        onClick={() => copy(value)}
        leftSection={copied ? <Icon name="check" size={14} /> : undefined}
      >
        {t(copied ? 'copied' : 'copy')}
      </Button>
    </Group>
  )
}
