/** Whose an address is: of IPv6 everybody has a whole network, however its addresses are spelled. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  const whole = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...(tail?.split(':') ?? [])]
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
