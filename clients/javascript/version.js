/** The version of this client, and of the service it was made for. */
export const version = "0.10.1";
