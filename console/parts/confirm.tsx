import { Button, type ButtonProps, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { Dialog } from './dialog.tsx'

/** A button for what cannot lightly be taken back: it says what will happen, and asks. */
export function ConfirmButton(props: {
  label: string
  /** What it is called where its label alone does not say of what. */
  name?: string
  title: string
  text?: ReactNode
  /** Has to be typed before it is done. */
  typed?: { label: string; text: string }
  onConfirm: () => void
  isBusy?: boolean
  button?: ButtonProps
}) {
  const { label, name, title, text, typed, onConfirm, isBusy = false, button } = props
  const t = useTexts(common)
  const [isAsking, setAsking] = useState(false)
  const [words, setWords] = useState('')
  const isTyped = !typed || words.trim() === typed.text
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
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            if (!isTyped) return
            setAsking(false)
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
              <Button variant="default" onClick={() => setAsking(false)}>
                {t('cancel')}
              </Button>
              <Button type="submit" color="red.9" disabled={!isTyped}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
