import { daysAfter } from '../engine/day.ts'
import type { Company } from './company.ts'

export async function setGoals(company: Company): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const kpi = await company.add('/performance/key_performance_indicators', {
      title: company.chance.of(['New customers', 'Response time', 'Features shipped', 'Revenue']),
      kpi_type: 'individual',
      metric: 'number',
      user_id: company.present[n],
      start_value: 0,
      target_value: 100,
      starts_on: company.ago(120),
      ends_on: daysAfter(company.today, 60),
      weight: 25,
    })
    for (let month = 3; month >= 0; month--)
      await company.add(`/performance/key_performance_indicators/${kpi.id}/key_performance_indicator_results`, {
        value: (4 - month) * (8 + company.chance.below(16)),
        occurred_on: company.ago(month * 30),
      })
  }
  for (let n = 0; n < 8; n++)
    await company.add('/performance/objectives', {
      title: `Objective ${n + 1}`,
      starts_on: company.ago(60),
      ends_on: daysAfter(company.today, 30),
      owner_id: company.present[n],
      key_results: [
        { title: 'First step', target: 10, current: company.chance.below(11), weight: 2 },
        { title: 'Second step', target: 100, current: company.chance.below(101) },
      ],
    })
}
