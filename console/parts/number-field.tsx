import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useNumbers } from '../texts/formats.ts'
import { useTexts } from '../texts/i18n.ts'
import { shared } from '../texts/words/words.ts'

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  value: string | number | null | undefined
  /** The number as the interface writes it; null where the field is empty, undefined where it cannot be read. */
  onChange: (value: string | null | undefined) => void
  isWhole?: boolean
  isMoney?: boolean
  /** 2012 is a year. */
  isUngrouped?: boolean
}

/**
 * A number in the person's language. While one types, what it is taken for stands beside it wherever it would be written
 * differently; on leaving it is written so. What cannot be read keeps its form from being sent.
 */
export function NumberField({ value, onChange, isWhole, isMoney, isUngrouped, error, ...rest }: NumberFieldProps) {
  const say = useTexts(shared('problems'))
  const { read, write } = useNumbers()
  const written = (one: typeof value) => write(one ?? '', { isMoney: !!isMoney, isUngrouped: !!isUngrouped })
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState<string>()
  const [isTold, setTold] = useState(false)
  // What comes from elsewhere, such as what somebody else saved, takes the place of what was typed.
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
