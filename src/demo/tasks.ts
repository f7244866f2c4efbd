import type { Company } from './company.ts'

export async function giveTasks(company: Company): Promise<void> {
  const jobs = [
    'Prepare the laptop',
    'Plan the first week',
    'Collect the badge',
    'Close the accounts',
    'Book the training',
  ]
  for (let n = 0; n < 80; n++) {
    const task = await company.add('/tasks', {
      name: jobs[n % 5],
      description: `<p>${jobs[n % 5]}</p>`,
      employee_id: company.chance.of(company.present),
      starts_on: company.ago(n),
      type: ['general', 'onboarding', 'offboarding'][n % 3],
    })
    if (n % 2) await company.send('PUT', `/tasks/${task.id}/complete`, {})
  }
}
