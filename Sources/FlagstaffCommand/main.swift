print("flagstaff")
