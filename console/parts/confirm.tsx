import { ActionIcon, Button, type ButtonProps, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Icon } from '../shell/icons.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { Dialog } from './dialog.tsx'

/** A button that asks for confirmation and says what will happen. */
export function ConfirmButton(props: {
  label: string
  /** The accessible name, if the label does not say what it is about. */
  name?: string
  title: string
  text?: ReactNode
  /** The text that the user must type to confirm. */
  typed?: { label: string; text: string }
  onConfirm: () => void
  isBusy?: boolean
  button?: ButtonProps
}) {
  const { label, name, title, text, typed, onConfirm, isBusy = false, button } = props
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="default"
        loading={isBusy}
        {...(name ? { 'aria-label': name } : {})}
        {...button}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      <Question {...{ label, title, text, typed, onConfirm, isAsking }} onClose={() => setAsking(false)} />
    </>
  )
}

/**
 * Removes an item of a list. It asks although it can be undone: the next line moves under the pointer, so a double
 * click would remove two.
 */
export function RemoveIcon(props: {
  label: string
  /** What happens, if the label does not say it. */
  text?: string | undefined
  onConfirm: () => void
  isBusy?: boolean
  size?: number
}) {
  const { label, text, onConfirm, isBusy = false, size = 18 } = props
  const t = useTexts(common)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size * 2}
        className="no-print"
        aria-label={label}
        loading={isBusy}
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" size={size} />
      </ActionIcon>
      <Question
        label={t('delete')}
        title={`${label}?`}
        text={text}
        onConfirm={onConfirm}
        isAsking={isAsking}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function Question(props: {
  label: string
  title: string
  text?: ReactNode
  typed?: { label: string; text: string } | undefined
  onConfirm: () => void
  isAsking: boolean
  onClose: () => void
}) {
  const { label, title, text, typed, onConfirm, isAsking, onClose } = props
  const t = useTexts(common)
  const [words, setWords] = useState('')
  const isTyped = !typed || words.trim() === typed.text
  return (
    <Dialog opened={isAsking} onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (!isTyped) return
          onClose()
          setWords('')
          onConfirm()
        }}
      >
        <Stack>
          {typeof text === 'string' ? <Text>{text}</Text> : text}
          {typed ? (
            <TextInput
              label={typed.label}
              value={words}
              autoComplete="off"
              onChange={(event) => setWords(event.currentTarget.value)}
              data-autofocus
            />
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red.9" disabled={!isTyped}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
