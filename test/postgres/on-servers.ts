import pg from 'pg'

/** What is done to servers by hand while the service uses them. */

/** Runs a statement at an address, by a connection of its own. */
export async function on(address: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Waits until something holds, which happens by itself. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not happen within a minute')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
