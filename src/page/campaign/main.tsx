/** Entry of the page of a campaign. */
import "uplot/dist/uPlot.min.css";
import "../page.css";
import "../live/live.css";
import { render } from "preact";
import { CampaignApp } from "./campaign-app.tsx";

const root = document.getElementById("app");
if (root === null) throw new Error("expected an element #app in the page");
root.textContent = "";
render(<CampaignApp />, root);
