import { Problem } from '../client/client.ts'
import { texts, useTexts } from '../texts/i18n.ts'

/** What is wrong with a password, in the language of the person. */

const passwordTexts = texts({
  en: {
    too_short: 'At least ten characters, please.',
    too_common:
      'This one is among those that are tried first. Take several words that have nothing to do with each other.',
    too_personal: 'Not your name or e-mail address, please.',
    mismatch: 'This is not your password.',
  },
  de: {
    too_short: 'Bitte mindestens zehn Zeichen.',
    too_common:
      'Das gehört zu denen, die zuerst probiert werden. Nehmen Sie mehrere Wörter, die nichts miteinander zu tun haben.',
    too_personal: 'Bitte nicht Ihren Namen oder Ihre E-Mail-Adresse.',
    mismatch: 'Das ist nicht Ihr Passwort.',
  },
  uk: {
    too_short: 'Щонайменше десять знаків, будь ласка.',
    too_common: 'Такі паролі пробують насамперед. Візьміть кілька слів, не пов’язаних між собою.',
    too_personal: 'Не своє ім’я чи адресу, будь ласка.',
    mismatch: 'Це не ваш пароль.',
  },
})

export function usePasswordProblem(): (error: unknown, field?: string) => string | undefined {
  const t = useTexts(passwordTexts)
  return (error, field = 'password') => {
    const problem = error instanceof Problem ? error.errors.find((one) => one.field === field) : undefined
    return (
      problem && (problem.code in passwordTexts.en ? t(problem.code as keyof typeof passwordTexts.en) : problem.message)
    )
  }
}
