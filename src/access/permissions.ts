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

/** Field groups that can be withheld from a key. */
export const FIELD_GROUPS = ['compensation', 'personal'] as const

export const PERMISSIONS = ['*', ...AREAS.flatMap((area) => [`${area}:*`, `${area}:read`, `${area}:write`])]
