/** Entry of the page of a campaign. */
import "uplot/dist/uPlot.min.css";
import "../page.css";
import "../live/live.css";
import { mount } from "../parts.tsx";
import { CampaignApp } from "./campaign-app.tsx";

mount(<CampaignApp />);
