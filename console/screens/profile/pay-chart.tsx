import type { Salary } from '../../client/operations.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { profileTexts } from './texts.ts'

const [WIDTH, HEIGHT] = [600, 72]

/** Pay as steps over time. The timeline below has the numbers. */
export function PayChart({ of, until }: { of: readonly Salary[]; until: string }) {
  const t = useTexts(profileTexts)
  const { money, day } = useFormats()
  const [first, last] = [of[0], of.at(-1)]
  const isOne = of.every((one) => one.currency_code === first?.currency_code && one.per === first?.per)
  if (of.length < 2 || !isOne || !first || !last) return null
  const at = (one: string) => Date.parse(one)
  const end = Math.max(at(until), at(last.effective_on))
  const most = Math.max(...of.map(({ amount }) => Number(amount)))
  const x = (one: number) => ((one - at(first.effective_on)) / Math.max(1, end - at(first.effective_on))) * WIDTH
  const y = (amount: number) => HEIGHT - (amount / most) * (HEIGHT - 6)
  const steps = of.map(({ effective_on, amount }, index) => {
    const next = of[index + 1]
    return `${x(at(effective_on))} ${y(Number(amount))} H${x(next ? at(next.effective_on) : end)}`
  })
  const line = `M${steps.join(' L')}`
  const amountOf = (one: Salary) => money(one.amount, one.currency_code ?? 'EUR')
  return (
    <figure className="profile-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('payChart', { from: amountOf(first), to: amountOf(last) })}
      >
        <path d={`${line} V${HEIGHT} H0 Z`} className="profile-chart-area" />
        <path d={line} className="profile-chart-line" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption>
        <span>
          {amountOf(first)} · {day(first.effective_on)}
        </span>
        <span>
          {amountOf(last)} · {day(last.effective_on)}
        </span>
      </figcaption>
    </figure>
  )
}
