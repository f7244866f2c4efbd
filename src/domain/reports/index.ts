import type { Area } from '../../engine/area.ts'
import { absenceReports } from './absence.ts'
import { hiringReports } from './hiring.ts'
import { payReports } from './pay.ts'
import { staffReports } from './staff.ts'

export const reports: Area = { operations: [...staffReports, ...absenceReports, ...hiringReports, ...payReports] }
