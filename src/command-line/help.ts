export const HELP = `Usage: npm run -s cadre -- <command> [options]

  serve                                    migrate the database schema and start the service
  migrate                                  migrate the database schema; stop the service first
  account create --name X [--time-zone Europe/Berlin] [--currency EUR]
                                           create an account; the last line of output is its API key
  account list                             list accounts
  key create --name X [--account 1] [--permissions employees:read,teams:*] [--withheld compensation] [--expires 2030-01-01T00:00:00Z]
                                           create an API key; the last line of output is the key
  key list [--account 1]                   list API keys
  key revoke <id> [--account 1]            revoke an API key and the keys created with it
  person invite <e-mail> [--role owner] [--name X] [--account 1]
                                           give a person access; the last line of output is their sign-in link
  person reset <e-mail> [--account 1]      reset a password; the last line of output is a link to set a new one
  demo                                     fill an empty database with a demo company of 200 people
  backup <file> [--files <folder>] [--force]
                                           back up the SQLite database, and the uploaded files; the service may be running
  restore <file> [--files <folder>]        restore a backup of the SQLite database; the current database is renamed, not deleted
  retention [--dry-run] [--account 1]      erase people whose retention period is over;
                                           exit code 1 if somebody who is due could not be erased
  distribute [--undo] [--dry-run]          distribute the accounts over the nodes of a PostgreSQL database with Citus; stop the
                                           service first. If it is interrupted, run it again to continue.
                                           --undo moves all tables back to one machine
  files check [--remove]                   find files without a record and records without their file; --remove deletes the former
  files copy <folder or s3://bucket/prefix>
                                           copy all files from CADRE_FILES to another place; files that are already there are skipped
  doctor                                   check configuration, database, schema, files, clock and disk space, and say what to do;
                                           exit code 1 if there is a problem
  audit verify [--account 1] [--head <account>:<number>:<hash>]
                                           check the hash chain of the change ledger and print its head. Store the head elsewhere
                                           and pass it with --head later to detect changes of earlier entries
  --version                                print the version
  --env-file <file>                        for any command: read settings from this file. The default is /etc/cadre/environment,
                                           if it exists. Variables that are already set take precedence

Only serve, migrate, demo and account create create a database. Only serve and migrate change the schema of an existing database.
Settings come from environment variables such as HOST, PORT, DATABASE_URL, CADRE_API_KEY, CADRE_FILES, WORKERS and LOG_LEVEL;
see docs/configuration.md.`
