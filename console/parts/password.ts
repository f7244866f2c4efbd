import { Problem } from '../client/client.ts'
import { texts, useTexts } from '../texts/i18n.ts'
import { useProblemText } from './problems.ts'

/** Explains in the user's language what is wrong with a password. */

const passwordTexts = texts({
  en: {
    too_short: 'Use at least ten characters.',
    too_common: 'This password is easy to guess. Use several unrelated words.',
    too_personal: 'Don’t use your name or e-mail address.',
    mismatch: 'Wrong password.',
  },
  de: {
    too_short: 'Verwenden Sie mindestens zehn Zeichen.',
    too_common:
      'Dieses Passwort ist leicht zu erraten. Verwenden Sie mehrere Wörter, die nichts miteinander zu tun haben.',
    too_personal: 'Verwenden Sie weder Ihren Namen noch Ihre E-Mail-Adresse.',
    mismatch: 'Falsches Passwort.',
  },
  uk: {
    too_short: 'Використайте щонайменше десять символів.',
    too_common: 'Цей пароль легко вгадати. Використайте кілька не пов’язаних між собою слів.',
    too_personal: 'Не використовуйте своє ім’я чи електронну адресу.',
    mismatch: 'Неправильний пароль.',
  },
})

export function usePasswordProblem(): (error: unknown, field?: string) => string | undefined {
  const t = useTexts(passwordTexts)
  const say = useProblemText()
  return (error, field = 'password') => {
    const problem = error instanceof Problem ? error.errors.find((one) => one.field === field) : undefined
    return (
      problem && (problem.code in passwordTexts.en ? t(problem.code as keyof typeof passwordTexts.en) : say(problem))
    )
  }
}
