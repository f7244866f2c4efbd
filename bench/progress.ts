/** How far something long has come: a bar on a terminal, and elsewhere a line now and then. */
export type Progress = { step: (done: number) => void; end: () => void }

const WIDTH = 30
const EVERY = { bar: 100, lines: 10_000 }

export function progress(what: string, all: number, out: NodeJS.WriteStream = process.stderr): Progress {
  const begun = performance.now()
  let told = begun
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(0)
  const say = (done: number) => {
    const part = all === 0 ? 1 : Math.min(1, done / all)
    const percent = `${Math.floor(part * 100)} %`.padStart(5)
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')
    if (out.isTTY) out.write(`\r${bar} ${percent}  ${what}, ${seconds()} s`)
    else out.write(`${what}: ${percent.trim()}, ${seconds()} s\n`)
  }
  return {
    step(done) {
      const now = performance.now()
      if (now - told < (out.isTTY ? EVERY.bar : EVERY.lines)) return
      told = now
      say(done)
    },
    end() {
      if (out.isTTY) out.write('\r\x1b[K')
      out.write(`${what}: done in ${seconds()} s\n`)
    },
  }
}
