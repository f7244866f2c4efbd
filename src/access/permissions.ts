/** The areas that permissions speak of: `<area>:read` and `<area>:write`. */
export const AREAS = [
  'keys',
  'organisation',
  'employees',
  'teams',
  'recruitment',
  'tasks',
  'performance',
  'time',
  'leave',
  'calendar',
] as const

/**
 * Groups of data that can be withheld from a key: pay; what concerns the private person; what people write about
 * others. Custom fields and document folders can be put into one of them too.
 */
export const FIELD_GROUPS = ['compensation', 'personal', 'notes'] as const

export const PERMISSIONS = ['*', ...AREAS.flatMap((area) => [`${area}:*`, `${area}:read`, `${area}:write`])]
