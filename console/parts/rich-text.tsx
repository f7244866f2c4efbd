import { Group, Input, SegmentedControl, Textarea } from '@mantine/core'
import { createElement, type ReactNode, useId, useState } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { bodyOf, htmlOf, typedOf } from './rich-text.ts'
import { richTexts } from './rich-text-texts.ts'

/**
 * Edits HTML as plain text with simple markup, with a preview. HTML that the markup cannot express is edited as HTML,
 * so that nothing is lost.
 */
export default function RichText(props: {
  label: string
  name: string
  value: string
  onChange: (html: string) => void
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  maxLength?: number
}) {
  const { label, value, onChange, ...rest } = props
  const t = useTexts(richTexts)
  const say = useTexts(common)
  const [typed, setTyped] = useState(() => typedOf(value))
  const [html] = useState(value)
  const [isShown, setShown] = useState(false)
  const id = useId()
  const isTyped = typed !== undefined
  return (
    <div className="rich-text">
      <Group justify="space-between" gap="xs" mb={4}>
        <Input.Label htmlFor={id} required={rest.required ?? false}>
          {label}
        </Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={label}
          data={[
            { value: 'typed', label: say('edit') },
            { value: 'shown', label: t('preview') },
          ]}
          value={isShown ? 'shown' : 'typed'}
          onChange={(next) => setShown(next === 'shown')}
        />
      </Group>
      {isShown ? (
        <section className="rich-preview" aria-label={t('preview')}>
          {value ? <RichTextView html={value} /> : null}
        </section>
      ) : (
        <Textarea
          id={id}
          {...rest}
          description={t(isTyped ? 'signs' : 'asHtml')}
          inputWrapperOrder={['input', 'description', 'error']}
          autosize
          minRows={6}
          maxRows={18}
          {...(isTyped ? { value: typed } : { defaultValue: html })}
          onChange={({ currentTarget: { value: sent } }) => {
            if (isTyped) setTyped(sent)
            onChange(isTyped ? htmlOf(sent) : sent)
          }}
        />
      )}
    </div>
  )
}

const SHOWN = new Set(
  'p div span br hr b strong i em u s ul ol li h1 h2 h3 h4 h5 h6 a blockquote pre code table thead tbody tr td th'.split(
    ' ',
  ),
)
const SAFE = /^(https?:|mailto:|tel:)/i

/** Shows HTML by creating each element here. Nothing in it can run scripts or load resources. */
export function RichTextView({ html }: { html: string }) {
  return <div className="rich">{[...bodyOf(html).childNodes].map(drawn)}</div>
}

function drawn(node: Node, index: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  const name = node.nodeName.toLowerCase()
  const children = [...node.childNodes].map(drawn)
  if (!SHOWN.has(name)) return children
  const href = name === 'a' ? ((node as Element).getAttribute('href') ?? '') : ''
  const link = SAFE.test(href) ? { href, target: '_blank', rel: 'noreferrer' } : {}
  return createElement(name, { key: index, ...link }, ...children)
}
