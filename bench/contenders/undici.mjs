import { headers, message, modern, requests } from "../lib/workload.mjs";

export const title = "raw: undici.request";
export const packages = ["undici"];

export async function client(url, inFlight) {
  const { Pool } = await import("undici");
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: inFlight });
  const head = headers(requests.echo, modern);
  let id = 0;
  return async () => {
    const body = JSON.stringify(message(requests.echo, modern, id++));
    const answer = await pool.request({ method: "POST", path, headers: head, body });
    return JSON.parse(await answer.body.text()).result;
  };
}
