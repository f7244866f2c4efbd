import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useNumbers } from '../texts/formats.ts'
import { useTexts } from '../texts/i18n.ts'
import { shared } from '../texts/words/words.ts'

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  value: string | number | null | undefined
  /** The number in the API's format; null if the field is empty, undefined if the text is no number. */
  onChange: (value: string | null | undefined) => void
  isWhole?: boolean
  isMoney?: boolean
  /** No thousands separators: for years. */
  isUngrouped?: boolean
}

/**
 * A number in the user's language. While the user types, the field shows the number that it understood if its usual format
 * differs from the text. On leaving, it writes that format. Text that is no number keeps the form from being sent.
 */
export function NumberField({ value, onChange, isWhole, isMoney, isUngrouped, error, ...rest }: NumberFieldProps) {
  const say = useTexts(shared('problems'))
  const { read, write } = useNumbers()
  const written = (one: typeof value) => write(one ?? '', { isMoney: !!isMoney, isUngrouped: !!isUngrouped })
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState<string>()
  const [isTold, setTold] = useState(false)
  // A new value from outside, such as a change by somebody else, replaces the typed text.
  const given = String(value ?? '')
  const [sent, setSent] = useState(given)
  if (sent !== given) {
    setSent(given)
    setText(undefined)
  }
  const shown = text ?? written(value)
  const taken = read(shown)
  const isEmpty = shown.trim() === ''
  const isUnread = !isEmpty && text !== undefined && (taken === undefined || (isWhole && taken.includes('.')))
  const why = isWhole ? say('noWholeNumber') : say('unclearNumber', { example: write('1234.5') })
  const trouble = isUnread ? say('sentence', { what: why }) : ''
  useEffect(() => input.current?.setCustomValidity(trouble), [trouble])
  const back = !isUnread && taken !== undefined && written(taken) !== shown ? `= ${written(taken)}` : ''
  return (
    <TextInput
      {...rest}
      ref={input}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={shown}
      error={(isTold && trouble) || error}
      rightSection={back && <output className="number-back">{back}</output>}
      rightSectionWidth={back ? `${back.length + 2}ch` : undefined}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value
        const next = typed.trim() === '' ? null : read(typed)
        const plain = isWhole && next?.includes('.') ? undefined : next
        setText(typed)
        setTold(false)
        setSent(plain ?? '')
        onChange(plain)
      }}
      onBlur={() => (isUnread ? setTold(true) : setText(undefined))}
      onInvalid={() => setTold(true)}
    />
  )
}
